"""A JupyterLab and a Chromium for all tests of this folder, or a loud reason why not.

They end with the folder: while Playwright runs, no other test of the process can run a loop.
"""

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


@pytest.fixture(scope="package")
def course(tmp_path_factory):
    """The folder that JupyterLab shows: the lessons, and what the tests write beside them."""
    folder = tmp_path_factory.mktemp("course")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        (folder / notebook.name).write_bytes(notebook.read_bytes())
    return folder


@pytest.fixture(scope="package")
def server(course):
    with lab.jupyter_lab(course) as running:
        yield running


@pytest.fixture(scope="package")
def browser():
    with lab.chromium() as running:
        yield running


@pytest.fixture(scope="package")
def only_page(server, browser):
    """The page that all tests share, because loading JupyterLab takes longer than most of them."""
    return lab.read(browser, server)


@pytest.fixture
def reader(only_page, request):
    """That page for one test. At the end of the test nothing may have gone wrong on it."""
    failed_before, unharmed = request.session.testsfailed, False
    yield only_page
    try:
        only_page.settled()
        PICTURES.mkdir(exist_ok=True)
        name = request.node.name.translate(str.maketrans("[]/", "_._"))
        only_page.page.screenshot(path=PICTURES / f"{name}.png")
        assert only_page.errors() == []
        unharmed = request.session.testsfailed == failed_before
    finally:
        if not unharmed:  # whatever a failed test has left behind, the next one does not meet it
            only_page.leave()


@pytest.fixture
def read(reader):
    """read(name): the notebook, run to its end."""
    return lambda name, **size: reader.open(name, **size).run_all()
