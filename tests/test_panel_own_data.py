"""The panel for one's own data: from any file to an embedding, and a clear word where not."""

import datetime
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from ukrlearn import metrics, panels
from ukrlearn.course.tables import read_table
from ukrlearn.panels import own_data
from ukrlearn.panels.own_data import LEAST_ROWS, OwnData


def csv_of(N=40, d=3, seed=0, names=None, kinds="ab"):
    """A noisy curve in d columns of very different units, and a column of text."""
    random = np.random.RandomState(seed)
    t = np.linspace(0, 3, N)
    Y = np.column_stack([np.cos((k + 1) * t) for k in range(d)]) * 10.0 ** np.arange(d)
    Y += 0.01 * random.normal(size=Y.shape)
    names = names or [f"c{k}" for k in range(d)]
    lines = [",".join([*names, "kind"])]
    lines += [
        ",".join(map(repr, row)) + "," + kinds[n % len(kinds)] for n, row in enumerate(Y.tolist())
    ]
    return "\n".join(lines).encode()


@pytest.fixture
def panel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_bytes(csv_of())
    shown = OwnData("mine.csv")
    yield shown
    shown.close()


def said(panel):
    return panel._view.message["text"]


def test_what_is_read_is_said(panel):
    assert panel.summary().startswith("mine.csv: 40 rows, 3 columns, standardised.")
    assert "Column 'kind' is left out: it holds text" in panel.summary()
    assert panel._picker.options == panel._picker.value == ("c0", "c1", "c2")
    assert panel._view.alt == panel.summary()


def test_before_the_fit_the_principal_components_are_judged(panel):
    Y = panel.table.Y
    Y = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    X = U[:, :2] * s[:2]
    assert f"trustworthiness {metrics.trustworthiness(X, Y):.3f}" in panel.summary()
    assert f"continuity {metrics.continuity(X, Y):.3f}" in panel.summary()
    assert f"share not rebuilt {metrics.loo_reconstruction(X, Y):.3f}" in panel.summary()


def test_a_fit_is_judged_beside_the_principal_components(panel):
    before = panel.png()
    panel.fit()
    fit = panel._fits[panel._key()]
    X, Y = fit.model.embedding_, panel._data(panel._fitted_rows())
    assert f"trustworthiness {metrics.trustworthiness(X, Y):.3f}" in panel.summary()
    assert "Principal components: trustworthiness" in panel.summary()
    assert [start.name.partition("(")[0] for start in fit.model.starts_] == [
        *("PCA", "Isomap", "Isomap", "LLE", "Laplacian")
    ]
    assert panel.png() != before
    assert fit.judged.not_rebuilt < fit.of_pca.not_rebuilt


def test_a_fit_belongs_to_its_columns_and_is_found_again(panel):
    fitted = panel.fit().png()
    panel.choose(["c0", "c2"])
    assert "2 columns" in panel.summary() and "Press Fit" in panel.summary()
    panel.choose(["c2", "c1", "c0"])
    assert panel.png() == fitted
    panel.set(standardise=False)
    assert "Press Fit" in panel.summary()
    assert panel.set(standardise=True).png() == fitted


def test_standardising_is_what_is_fitted(panel):
    shares = panel._data(np.arange(40), False).var(axis=0)
    assert shares[2] > 50 * shares[1]
    np.testing.assert_allclose(panel._data(np.arange(40), True).var(axis=0), 1)


def test_one_dimension_is_drawn_against_the_row(panel):
    panel.set(dimension="1").fit()
    assert panel._of_map.get_ylabel() == "row"
    assert panel._fits[panel._key()].model.embedding_.shape == (40, 1)


def test_reset_chooses_all_columns_and_keeps_the_file(panel):
    first = panel.png(), panel.summary()
    panel.choose(["c0", "c1"]).set(standardise=False, colour="row")
    panel.reset()
    assert (panel.png(), panel.summary()) == first


# ---- export -------------------------------------------------------------------------------------


def test_the_embedding_is_written_and_nothing_overwritten(panel, tmp_path):
    panel.fit()
    path, backup = panel.export()
    assert (path.name, backup) == ("embedding.csv", None)
    table = read_table(tmp_path / "embedding.csv")
    assert table.names == ("row", "x1", "x2")
    X = panel._fits[panel._key()].model.embedding_
    np.testing.assert_array_equal(table.Y[:, 1:], X)
    assert table.texts["kind"] == panel.table.texts["kind"]
    panel._target.value = "other.csv"
    assert panel.export().path.name == "other.csv"
    assert panel.export().backup.name == "other.backup.csv"
    assert "40 rows were written to other.csv. The older file is now other.backup2.csv" not in said(
        panel
    )
    assert "The older file is now other.backup.csv" in said(panel)


def test_rows_beyond_the_fitted_ones_are_placed_and_said(panel, monkeypatch):
    monkeypatch.setattr(own_data, "MOST_FITTED", 30)
    panel.load(csv_of(90), "long.csv").fit()
    assert "long.csv: 90 rows" in panel.summary()
    assert "A fit uses 30 evenly spread rows" in panel.summary()
    table = read_table(panel.export("placed.csv").path)
    rows = panel._fitted_rows()
    assert (len(table.Y), rows[0], rows[-1]) == (90, 0, 89)
    X = panel._fits[panel._key()].model.embedding_
    np.testing.assert_array_equal(table.Y[rows, 1:], X)
    monkeypatch.setattr(own_data, "MOST_PLACED", 80)
    assert len(read_table(panel.export("few.csv").path).Y) == 30
    assert "The other rows are left out" in said(panel)


def test_rows_that_were_left_out_keep_their_numbers_in_the_export(tmp_path):
    lines = csv_of(20).decode().splitlines()
    lines[5] = ",,,a"
    shown = OwnData("\n".join(lines).encode()).fit()
    written = read_table(shown.export(tmp_path / "out.csv").path)
    assert written.Y[:, 0].tolist() == [n for n in range(1, 21) if n != 5]
    shown.close()


def test_export_needs_a_fit_and_a_place(panel, tmp_path):
    with pytest.raises(ValueError, match="Press Fit first"):
        panel.export()
    panel.fit()
    with pytest.raises(ValueError, match="there is no .*nowhere"):
        panel.export(tmp_path / "nowhere" / "out.csv")


# ---- by hand ------------------------------------------------------------------------------------


def test_a_typed_path_and_an_uploaded_file_are_loaded(panel, tmp_path):
    (tmp_path / "second.csv").write_bytes(csv_of(30, 4))
    panel._path.value = " second.csv "
    assert panel.summary().startswith("second.csv: 30 rows, 4 columns")
    assert panel._picker.value == ("c0", "c1", "c2", "c3")
    content = memoryview(csv_of(25, 2))
    file = {"name": "third.csv", "type": "text/csv", "size": len(content), "content": content}
    panel._upload.value = [file | {"last_modified": datetime.datetime.now(datetime.UTC)}]
    assert panel.summary().startswith("third.csv: 25 rows, 2 columns")
    assert panel._upload.value == (), "the same file may be chosen again"
    panel._picker.value = ("c0", "c1")
    assert "2 columns" in panel.summary()


BAD = {
    "text only": (b"a,b\nx,y\nz,w\n", "must have a column of numbers"),
    "empty": (b"", "it is empty"),
    "one row": (b"a,b\n1,2\n", "at least 12 complete rows of numbers; it has 1"),
    "one column": (b"a,kind\n" + b"1,x\n2,y\n" * 9, "at least two columns of numbers"),
    "binary": (bytes(range(256)) * 9, "binary"),
    "constant": (b"a,b\n" + b"1,2\n" * 20, "all rows are equal"),
    "mostly missing": (b"a,b\n" + b"1,\n,2\n" * 20, "without missing numbers"),
    "immense": (b"a,b\n" + b"1,2\n2,3e200\n" * 20, "column 'b' contains 3e+200"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_answered_and_the_last_picture_stays(panel, tmp_path, kind):
    content, message = BAD[kind]
    (tmp_path / "bad.csv").write_bytes(content)
    before = panel.png(), panel.summary(), panel._view.picture, panel.table
    panel._path.value = "bad.csv"
    assert panel._view.message["role"] == "alert" and message in said(panel)
    assert (panel.png(), panel.summary(), panel._view.picture, panel.table) == before
    panel._path.value = "mine.csv"
    assert panel._view.message["role"] == "status"


def test_a_path_to_nothing_and_a_file_of_2_gb_are_answered(panel, tmp_path):
    panel._path.value = "nothing.csv"
    assert "There is no file nothing.csv" in said(panel)
    with (tmp_path / "huge.csv").open("wb") as file:
        file.write(b"a,b\n1,2\n")
        file.truncate(2_100_000_000)  # a hole: no disk is used
    panel._path.value = "huge.csv"
    assert "must have at most 2 GB" in said(panel)


def test_too_few_columns_are_answered_and_the_choice_can_go_on(panel):
    panel._picker.value = ("c0",)
    assert "at least two" in said(panel) and "3 columns" in panel.summary()
    panel._picker.value = ("c0", "c1")
    assert panel._view.message["role"] == "status" and "2 columns" in panel.summary()


def test_pressing_too_early_is_answered():
    shown = OwnData()
    assert shown.summary().startswith("No data yet")
    for press in (shown.fit, shown.export):
        with pytest.raises(ValueError, match="There are no data yet. Choose a file"):
            press()
    shown.reset()
    assert "nan" not in shown.summary()
    shown.close()


def test_a_failing_fit_is_answered(panel, monkeypatch):
    def fail(*_, **__):
        raise ValueError("no start gave coordinates")

    monkeypatch.setattr(own_data.UKR, "fit", fail)
    before = panel._view.picture
    panel._answer(None, panel.fit)
    assert "The fit failed: no start gave coordinates" in said(panel)
    assert panel._view.picture == before


def test_an_unknown_column_is_refused(panel):
    with pytest.raises(ValueError, match="columns must be some of c0, c1, c2; got z"):
        panel.choose(["c0", "z"])


# ---- odd but good -------------------------------------------------------------------------------


def test_names_that_look_like_formulas_or_html_are_shown_as_they_are():
    names = ["cost $a$b^{", "<b>bold</b>", "_hidden", "x" * 60]
    shown = OwnData(csv_of(20, 4, names=names, kinds=["$x$", "_y", "<i>"]))
    labels = [text.get_text() for text in shown._of_columns.get_yticklabels()]
    assert r"cost \$a\$b^{" in labels and " _hidden" in labels
    (legend,) = [shown._of_map.get_legend()]
    assert [text.get_text() for text in legend.get_texts()] == [r"\$x\$", "<i>", " _y"]
    shown.choose(names[:2])
    with pytest.raises(ValueError, match="got <b>"):
        shown.choose(["<b>"])
    shown._answer(None, shown.choose, ["<b>"])
    assert "got <b>" in said(shown)  # the page shows it as text: see the test below
    shown.close()


def test_many_columns_and_many_classes_are_summed_up():
    kinds = [f"kind {k}" for k in range(30)]
    shown = OwnData(csv_of(60, 25, kinds=kinds))
    assert shown._of_columns.get_title() == "Share of variance (15 more)"
    legend = [text.get_text() for text in shown._of_map.get_legend().get_texts()]
    assert legend[-1] == f"{30 - len(legend) + 1} others"
    shown.close()


def test_duplicated_rows_and_the_fewest_rows_are_fitted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = OwnData(csv_of(LEAST_ROWS)).fit()
        shown.load(b"a,b\n" + b"1,2\n2,3\n4,1\n" * 8).fit()
    assert "Fit from 5 starts" in shown.summary()
    shown.close()


def test_the_page_takes_no_text_for_html():
    page = (Path(panels.__file__).parent / "panel.js").read_text()
    assert "textContent" in page
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|write\(", page) == []
