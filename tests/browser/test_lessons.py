"""Some whole lessons, run in JupyterLab, in a real browser."""

import pytest


@pytest.mark.parametrize("lesson", ["00_start_here", "02_unsupervised", "04_leave_one_out"])
def test_a_whole_lesson_runs_as_a_reader_runs_it(read, lesson):
    reader = read(f"{lesson}.ipynb", height=6000)
    assert len(reader.settled()) >= 3
    assert reader.page.locator(".jp-Notebook-cell.jp-CodeCell").count() >= 5
