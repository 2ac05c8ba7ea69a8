"""The notebooks as shipped: clean, and running from the first cell to the last, with few games."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GAMES = 400
CELL_SECONDS = 300  # with nothing compiled yet; usually it takes a moment

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


class ThisPython(KernelSpecManager):
    """A kernel of the Python that runs the tests, whatever kernels are installed."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=command, display_name=kernel_name, language="python")


def environment(home: Path) -> dict[str, str]:
    """Compiled, unlike the tests themselves; few games; nobody's own settings."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("NUMBA_DISABLE_JIT", "MPLBACKEND")
    }
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return kept | {
        "XENOBALANCE_GAMES": str(GAMES),
        "PYTHONPATH": os.pathsep.join(paths),
        "IPYTHONDIR": str(home / "ipython"),
    }


def executed(path: Path, home: Path) -> Any:
    """The notebook with its outputs; a cell that fails raises."""
    work = home / "work"
    work.mkdir()
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=ThisPython()),
        timeout=CELL_SECONDS,
        resources={"metadata": {"path": str(work)}},
    )
    client.execute(env=environment(home))
    assert not list(work.iterdir()), "a notebook leaves nothing behind"
    return notebook


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: Any) -> Iterator[Any]:
    for cell in code_cells(notebook):
        yield from cell.outputs


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["alien-strength", "first-strategy", "tour"]


@every_notebook
def test_is_shipped_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert 10 <= len(notebook.cells) <= 20
    assert not list(outputs(notebook))
    assert all(cell.execution_count is None for cell in code_cells(notebook))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


@every_notebook
def test_needs_neither_network_nor_this_computer(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in code_cells(notebook))
    for word in ("http", "pip install", "!", str(ROOT)):
        assert word not in code.replace("!=", ""), word
    assert not re.search(r"""["'](/|~|[A-Z]:)\w""", code)  # no path that begins at the root of some computer
    assert "XENOBALANCE_GAMES" in code


@every_notebook
def test_runs(path: Path, tmp_path: Path) -> None:
    notebook = executed(path, tmp_path)
    shown = list(outputs(notebook))
    assert not [output for output in shown if output.output_type == "error"]
    assert not [output.text for output in shown if output.get("name") == "stderr"], "warnings"
    data = [output.data for output in shown if "data" in output]
    assert any("image/png" in one for one in data)
    assert any("<table" in one.get("text/html", "") for one in data)
    assert not [one["text/html"] for one in data if "Warning" in one.get("text/html", "")]
    assert not [
        one["text/plain"] for one in data if one.get("text/plain", "").startswith("<Figure") and len(one) == 1
    ]
