"""A JupyterLab and a Chromium for all tests of this folder, or a loud reason why not."""

import os
from pathlib import Path

import pytest

from tests.browser import lab

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "artefacts"  # outside git: screenshots to be looked at


def pytest_collection_modifyitems(items):
    if lab.find_chromium() or os.environ.get("CI") == "true":
        return  # on CI a missing browser is a failure, not an excuse
    reason = (
        "NO CHROMIUM: the browser tests did not run. Install it (Debian: apt-get install chromium) "
        "or name one in the variable CHROMIUM."
    )
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """The folder that JupyterLab shows: the lessons, and what the tests write beside them."""
    folder = tmp_path_factory.mktemp("course")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        (folder / notebook.name).write_bytes(notebook.read_bytes())
    return folder


@pytest.fixture(scope="session")
def server(course):
    with lab.jupyter_lab(course) as running:
        yield running


@pytest.fixture(scope="session")
def browser():
    with lab.chromium() as running:
        yield running


@pytest.fixture
def read(server, browser, request):
    """read(name): the notebook, run to its end. Afterwards nothing may have gone wrong anywhere."""
    readers = []

    def open_and_run(name, **size):
        reader = lab.read(browser, server, **size).open(name)
        readers.append(reader)
        return reader.run_all()

    yield open_and_run
    for reader in readers:
        reader.settled()
        PICTURES.mkdir(exist_ok=True)
        name = request.node.name.translate(str.maketrans("[]/", "_._"))
        reader.page.screenshot(path=PICTURES / f"{name}.png")
        errors = reader.errors()
        reader.close()
        assert errors == []
