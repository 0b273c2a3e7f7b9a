"""The panel for one's own data as a reader uses it: upload, type, press, with real files."""

import pytest

from tests.browser import lab
from ukrlearn.course.tables import read_table

ROWS = "".join(f"{n / 7:.3f};{(n * n % 11) / 3:.3f};{n % 5}\n".replace(".", ",") for n in range(30))


@pytest.fixture
def shown(read, course):
    """The panel, still without data."""
    (course / "typed.csv").write_text("first;second;third\n" + ROWS)
    (course / "words.csv").write_text("a,b\nno,numbers\n")
    lab.write_notebook(course / "own_data.ipynb", "from ukrlearn.panels import OwnData\nOwnData()")
    return read("own_data.ipynb", width=1100, height=900)


def test_a_file_is_uploaded_fitted_and_exported_and_a_bad_one_is_answered(shown, course):
    page, status = shown.page, shown.page.locator("p[role=status]")
    upload = {"name": "up.csv", "mimeType": "text/csv", "buffer": f"x;y;z\n{ROWS}".encode("utf-16")}
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files([upload])
    status.filter(has_text="up.csv: 30 rows, 3 columns").wait_for()

    path = page.get_by_label("path of a CSV file")
    path.fill("words.csv")
    path.press("Enter")
    alert = page.locator("p[role=alert]")
    alert.filter(has_text="must have a column of numbers").wait_for()
    assert "up.csv: 30 rows" in page.locator(".jp-OutputArea-output img").get_attribute("alt")

    path.fill("typed.csv")
    path.press("Enter")
    status.filter(has_text="typed.csv: 30 rows, 3 columns").wait_for()
    page.get_by_label("columns (").select_option(["first", "third"])
    status.filter(has_text="2 columns").wait_for()
    page.get_by_role("button", name="Fit", exact=True).click()
    status.filter(has_text="Fit from 5 starts").wait_for()
    page.get_by_role("button", name="Export").click()
    status.filter(has_text="30 rows are written to embedding.csv").wait_for()
    assert read_table(course / "embedding.csv").names == ("row", "x1", "x2")
