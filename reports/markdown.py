"""The report as Markdown: for a repository, a wiki or a mail."""

from __future__ import annotations

from collections.abc import Iterator

from reports.model import Chapter, Figure, Report, Table

FOLDER = "report"


def page(report: Report) -> str:
    """The whole text; figures are linked from the folder beside it."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from (f"# {report.title}", "", report.subtitle + ".", "")
    for warning in report.warnings:
        yield from (f"> **Careful:** {escaped(warning)}", "")
    yield from ("## Findings", "")
    for number, finding in enumerate(report.findings, 1):
        evidence = f"*(n = {finding.n:,}; {finding.method}; [evidence](#{finding.evidence}))*"
        yield f"{number}. {escaped(finding.text)} {evidence}"
    if not report.findings:
        yield "The data carries no finding."
    yield ""
    for chapter in report.all_chapters:
        yield from _chapter(chapter)
    yield from ("### What was played", "", "| what | |", "|---|---|")
    yield from (f"| {cell(name)} | {cell(value)} |" for name, value in report.facts)
    yield from (
        "",
        "### How to reproduce it",
        "",
        "From the folder that holds the run:",
        "",
        "```",
        *report.commands,
        "```",
    )


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from (f"## {chapter.title}", "", f"*{chapter.question}*", "")
    for text in chapter.text:
        yield from (escaped(text), "")
    for part in chapter.parts:
        yield from _figure(part) if isinstance(part, Figure) else _table(part)


def _figure(figure: Figure) -> Iterator[str]:
    yield f'<a id="figure-{figure.id}"></a>'
    yield from (f"![{escaped(figure.title)}]({FOLDER}/figures/{figure.id}.svg)", "")
    yield from (f"**{escaped(figure.title)}.** {escaped(figure.caption)}", "")


def _table(table: Table) -> Iterator[str]:
    yield from (f'<a id="{table.id}"></a>', f"**{escaped(table.title)}**", "")
    if table.frame.is_empty():
        yield from ("Nothing to show.", "")
        return
    yield "| " + " | ".join(cell(column.heading) for column in table.columns) + " |"
    yield "|" + "|".join("---:" if column.is_number else "---" for column in table.columns) + "|"
    for row in table.rows():
        yield (
            "| "
            + " | ".join(_with_interval(column.cell(row), column.interval(row)) for column in table.columns)
            + " |"
        )
    yield ""
    if table.note:
        yield from (escaped(table.note), "")


def _with_interval(text: str, interval: str) -> str:
    return cell(f"{text} ({interval})" if interval else text)


def escaped(text: str) -> str:
    """Text that is only text: no HTML, no Markdown."""
    for sign in "\\`*_[]<>":
        text = text.replace(sign, f"\\{sign}" if sign not in "<>" else {"<": "&lt;", ">": "&gt;"}[sign])
    return " ".join(text.split())


def cell(text: str) -> str:
    """Text in a table."""
    return escaped(text).replace("|", "\\|")
