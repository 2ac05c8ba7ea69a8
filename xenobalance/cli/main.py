"""The command `xenobalance`: finds the subcommand, and turns mistakes into short messages.

Subcommands are imported when they are called: `--help` and `--version` must not wait for numba.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import NoReturn

import click

from sim.errors import UserError, did_you_mean

#: name -> (where the command lives, what it does). The text is repeated here so that the list of commands
#: can be shown without importing any of them.
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("xenobalance.cli.play:play", "Play many games and show who wins how often."),
    "run": ("xenobalance.cli.run:run", "Play a study into a folder of records."),
    "runs": ("xenobalance.cli.runs:runs", "Show and verify run folders."),
    "report": ("xenobalance.cli.report:report", "Write the balance report of a run."),
    "compare": ("xenobalance.cli.compare:compare", "Variants of rules, cards or strategies on the same luck."),
    "sweep": ("xenobalance.cli.sweep:sweep", "An option or card value over a range, or two as a grid."),
    "knockout": ("xenobalance.cli.knockout:knockout", "What each card does: the same games without it."),
    "sensitivity": ("xenobalance.cli.sensitivity:sensitivity", "Which numbers drive balance and length."),
    "tune": ("xenobalance.cli.tune:tune", "The smallest change of the rules that meets a target."),
    "train": ("xenobalance.cli.train:train", "Train the parameters of a strategy."),
    "levels": ("xenobalance.cli.levels:levels", "Does a balance hold for random, usual and trained play?"),
    "metagame": ("xenobalance.cli.metagame:metagame", "All strategies against each other, and equilibria."),
    "luck": ("xenobalance.cli.luck:luck", "How much of the result is luck, and of which kind."),
    "restrict": ("xenobalance.cli.restrict:restrict", "What each rule is worth to a strategy."),
    "trace": ("xenobalance.cli.trace:trace", "Tell one game move by move, as a story or as JSON."),
    "score": ("xenobalance.cli.score:score", "Work out what a queue of research cards is worth."),
    "cards": ("xenobalance.cli.cards:cards", "Show, export and check card sets."),
    "rules": ("xenobalance.cli.rules:rules", "List the rule options and their values."),
    "strategies": ("xenobalance.cli.strategies:strategies", "List, show, begin and check strategies."),
}

USER_MISTAKE = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
READER_GONE = 1  # as click has it

#: a group called without a command (click before 8.2 prints the help by itself)
NO_COMMAND: type[click.UsageError] | tuple[()] = getattr(click.exceptions, "NoArgsIsHelpError", ())


class LazyGroup(click.Group):
    """A group whose commands are rows of `COMMANDS` and are imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command '{args[0]}'{did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The installed version; asked for only when wanted."""
    if not wanted or ctx.resilient_parsing:
        return
    try:
        number = installed_version("xenobalance")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"xenobalance {number}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Is a board game fair, how long does it last, and what would a rule change do?

    xenobalance plays E.T.I. (with --game others, too) thousands of times and counts. For more on a command:
    'xenobalance COMMAND --help'.
    """


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; the exit code. Whatever the user can put right is told without a traceback."""
    try:
        code = cli.main(args, prog_name="xenobalance", standalone_mode=False)
        sys.stdout.flush()  # here, where a closed pipe or a full disk can still be told
        return code if isinstance(code, int) else 0
    except SystemExit as error:  # a command that has said all it has to say
        return error.code if isinstance(error.code, int) else 0
    except UserError as error:
        return complain(*error.lines)
    except click.UsageError as error:
        return misused(error)
    except click.ClickException as error:
        return complain(one_line(error.format_message()))
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:
        return file_trouble(error)


def complain(*lines: str) -> int:
    """Say what is wrong, a line each, on stderr."""
    for line in lines:
        click.echo(f"xenobalance: {line}", err=True)
    return USER_MISTAKE


def misused(error: click.UsageError) -> int:
    """A wrong option or command: one line and where to look it up; no command at all: the help."""
    if isinstance(error, NO_COMMAND) and error.ctx:
        click.echo(error.ctx.get_help(), err=True)
        return USER_MISTAKE
    return complain(one_line(error.format_message()), hint(error))


def hint(error: click.UsageError) -> str:
    """Where to look it up."""
    path = error.ctx.command_path if error.ctx else "xenobalance"
    return f"see '{path} --help'"


def one_line(message: str) -> str:
    """Click ends its sentences and sometimes breaks them; ours are single lines."""
    return " ".join(message.split()).removesuffix(".")


def file_trouble(error: OSError) -> int:
    """A reader that has gone away is no news; a full disk or a forbidden folder is one line."""
    if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
        close_quietly()
        return READER_GONE
    where = f"{error.filename}: " if error.filename else ""
    code = complain(f"{where}{error.strerror or error}")
    close_quietly()
    return code


def close_quietly() -> None:
    """What is still in stdout's buffer cannot be written: do not let Python try again when it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


if __name__ == "__main__":
    main()
