"""CSV files as people have them, and embeddings that overwrite nothing."""

import csv
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ukrlearn import tables
from ukrlearn.course.tables import read_table, write_embedding

NUMBERS = np.array([[1.5, -2.0, 3e-4], [4.0, 5.25, -6.5], [7.0, 8.0, 9.75]])


def written(separator=",", decimal=".", header=("length", "width", "height"), end="\n"):
    rows = [separator.join(header)] if header else []
    rows += [separator.join(f"{v:.12g}".replace(".", decimal) for v in row) for row in NUMBERS]
    return end.join(rows) + end


# ---- form ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("header", [("length", "width", "height"), None])
@pytest.mark.parametrize(
    ("separator", "decimal"),
    [
        (",", "."),
        (";", "."),
        (";", ","),
        ("\t", "."),
        ("\t", ","),
        (" ", "."),
        (" ", ","),
        ("|", "."),
    ],
)
def test_separators_decimal_marks_headers_and_line_ends_are_found(separator, decimal, header, end):
    table = read_table(written(separator, decimal, header, end).encode())
    np.testing.assert_array_equal(table.Y, NUMBERS)
    assert table.names == (header or ("column 1", "column 2", "column 3"))
    assert table.rows.tolist() == [1, 2, 3]
    assert (table.dropped_columns, table.dropped_rows) == ((), ())
    assert ("no header" in str(table)) == (header is None)
    assert ("decimal marks" in str(table)) == (decimal == ",")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_encodings_are_found(encoding):
    text = "größe;Länge;Straße\n1,5;2;Ölweg\n2,5;3;Müllerstraße\n"
    table = read_table(text.encode(encoding))
    assert table.names == ("größe", "Länge")
    assert table.texts == {"Straße": ("Ölweg", "Müllerstraße")}
    assert ("not UTF-8" in str(table)) == (encoding in ("latin-1", "cp1252"))


def test_a_letter_that_utf_8_does_not_know_may_come_late():
    text = "a,b\n" + "1,2\n" * 50_000 + "3,4\n" + "# é\n"
    assert read_table(text.encode("latin-1")).Y.shape == (50_001, 2)


def test_what_excel_writes():
    table = read_table("\ufeffsep=;\r\nName;Preis\r\nA;1.234,5\r\nB;2,5\r\nC;1.234\r\n".encode())
    assert table.Y.tolist() == [[1234.5], [2.5], [1234.0]]
    assert table.texts["Name"] == ("A", "B", "C")


def test_what_pandas_and_r_write():
    pandas = read_table(b",x,y\n0,1.5,2\n1,2.5,3\n2,0.5,9\n")
    assert pandas.names == ("x", "y")
    assert "'column 1' is left out: it has no name and counts the rows" in str(pandas)
    r = read_table(b'"x" "y"\n"1" 1.5 2\n"2" 2.5 3\n"3" 0.5 9\n')
    assert r.names == ("x", "y")
    np.testing.assert_array_equal(r.Y, pandas.Y)


def test_what_numpy_writes(tmp_path):
    path = tmp_path / "saved.txt"
    np.savetxt(path, NUMBERS, header="length width height")
    table = read_table(path)
    np.testing.assert_array_equal(table.Y, NUMBERS)
    assert table.names == ("length", "width", "height")
    np.savetxt(path, NUMBERS, delimiter=",", header="made on a Monday\nby me")
    table = read_table(str(path))
    assert table.names == ("column 1", "column 2", "column 3")
    assert "2 lines with # at the beginning are left out" in str(table)


def test_quotes_protect_separators_and_line_ends():
    table = read_table(b'"a, long name",b,c\n1,"2","a ""word"""\n3,4,"two\nlines"\n')
    assert table.names == ("a, long name", "b")
    assert table.Y.tolist() == [[1, 2], [3, 4]]
    assert table.texts["c"] == ('a "word"', "two\nlines")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"h\n1,5\n2,5\n", [[1.5], [2.5]]),  # one column: a header of one field
        (b"1,5\n2,5\n", [[1, 5], [2, 5]]),  # no telling; commas separate
        (b"x\n1\n2\n", [[1], [2]]),
        (b"1.5\n2.5\n", [[1.5], [2.5]]),
        (b'a,b\n"1,234.5",2\n"12,000",3\n', [[1234.5, 2], [12000, 3]]),  # groups of three
        (b"a;b\n1,234;2\n5,678;3\n", [[1.234, 2], [5.678, 3]]),
        ("a,b\n\u22121.5,2\n3,4\n".encode(), [[-1.5, 2], [3, 4]]),  # a typographic minus
        (b"a, b\n1, 2\n3, 4\n", [[1, 2], [3, 4]]),
        (b"  1.0   2.0\n  3.0   4.0\n", [[1, 2], [3, 4]]),
        (b"a,b\n\n1,2\n\n3,4\n\n\n", [[1, 2], [3, 4]]),
        (b"a,b\n1e3,+.5\n-2E-1,4.\n", [[1000, 0.5], [-0.2, 4]]),
    ],
)
def test_numbers_are_understood(content, expected):
    np.testing.assert_array_equal(read_table(content).Y, expected)


def test_a_header_of_numbers_must_be_told():
    content = b"1990,1991\n1,2\n3,4\n"
    assert read_table(content).Y.shape == (3, 2)
    table = read_table(content, header=True)
    assert (table.names, table.Y.tolist()) == (("1990", "1991"), [[1, 2], [3, 4]])
    rows = b"1,2\n" * 20
    assert read_table(b"a,b\n" + rows, header=False).dropped_rows == (1,)


def test_names_are_made_unique():
    assert read_table(b"a,a,,a\n1,2,3,4\n2,3,9,5\n").names == ("a", "a (2)", "column 3", "a (3)")


# ---- what is left out ---------------------------------------------------------------------------


def test_text_empty_and_mostly_missing_columns_are_left_out_and_said():
    rows = "".join(f"{n},word{n},,{n if n < 4 else ''},{n * n}\n" for n in range(10))
    table = read_table(f"n,kind,nothing,rare,square\n{rows}".encode())
    assert table.names == ("n", "square")
    assert table.dropped_columns == ("kind", "nothing", "rare")
    assert "'kind' is left out: it holds text, such as 'word0'" in str(table)
    assert "'nothing' is left out: it is empty" in str(table)
    assert "'rare' is left out: 60% of it is missing" in str(table)
    assert "'n' counts the rows. Is it data?" in str(table)


@pytest.mark.parametrize("missing", ["", "NA", "n/a", "NaN", "null", "-", "?", "inf", "1e999"])
def test_rows_with_a_missing_number_are_dropped_and_said(missing):
    rows = "".join(f"{n}.5,{n * n},k{n}\n" for n in range(12))
    table = read_table(f"a,b,kind\n{rows}12.5,{missing},k12\n13.5,169,k13\n".encode())
    assert table.dropped_rows == (13,)
    assert table.rows.tolist() == [*range(1, 13), 14]
    assert table.texts["kind"][-2:] == ("k11", "k13")
    assert "1 row in which a number is missing is left out" in str(table)


def test_a_few_words_among_numbers_count_as_missing_and_many_make_text():
    few = "".join(f"{n}.5,{n * n}\n" for n in range(19))
    table = read_table(f"a,b\n{few}error,400\n".encode())
    assert len(table.Y) == 19
    assert "Column 'a': 1 field holds no number, such as 'error'" in str(table)
    table = read_table(f"a,b\n{few}x,1\ny,2\nz,3\n".encode())
    assert table.names == ("b",)


def test_rows_of_another_length_are_dropped_and_said():
    table = read_table(b"a,b\n1,2\n3\n5,6\n7,8,9\n9,10\n")
    assert table.Y.tolist() == [[1, 2], [5, 6], [9, 10]]
    assert table.dropped_rows == (2, 4)
    assert "2 rows without exactly 2 fields are left out" in str(table)
    assert "counted from 1 below the header: 2, 4" in str(table)


def test_a_constant_column_stays_and_is_said():
    table = read_table(b"a,b\n1,7\n2,7\n")
    assert table.names == ("a", "b")
    assert "Column 'b' is the same in all rows" in str(table)


def test_one_row_is_a_table_of_one_row():
    table = read_table(b"a,b\n1,2\n")
    assert table.Y.tolist() == [[1, 2]]
    assert str(table).startswith("1 row and 2 columns of numbers: a, b.")


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must hold numbers; it is empty"),
        (b"\n \n\r\n", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b"\xff\xfe", "it is empty"),
        (b"a,b\n", "must have rows of numbers below its header; it has none"),
        (b"# nothing\n# more\n", "must hold rows of numbers"),
        (b"a,b\nx,y\nz,w\n", "must have a column of numbers"),
        (b"a,b\n1,\n,2\n3,\n,4\n", "must have a row without missing numbers; none of its 4 rows"),
        (b"PK\x03\x04 and so on", "is a zip archive (Excel's .xlsx is one)"),
        (b"%PDF-1.4", "it is a PDF"),
        (bytes(range(256)) * 20, "it holds binary data"),
        (b"1" * 2_000_000, "a line of more than 1,000,000 characters"),
        (b'a,b\n1,"2\n' + b"3,4\n" * 60_000, "Is a closing quotation mark missing"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(content, message):
    with pytest.raises(ValueError) as error:
        read_table(content)
    assert message in str(error.value)
    assert str(error.value).startswith("the file ")


def test_paths_that_lead_nowhere_are_refused(tmp_path):
    (tmp_path / "mine.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match="There is no file .*other.csv"):
        read_table(tmp_path / "other.csv")
    with pytest.raises(ValueError, match="is a folder. It holds mine.csv"):
        read_table(tmp_path)
    with pytest.raises(ValueError, match="source must be the path of a file; got an empty path"):
        read_table(" ")
    with pytest.raises(TypeError, match="path or the bytes of a file; got int"):
        read_table(3)


def test_an_excel_file_is_named_as_such(tmp_path):
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("content", "x")
    with pytest.raises(ValueError, match="book.xlsx must be a CSV file; it is a zip archive"):
        read_table(path)


# ---- large files --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """200 MB: five million rows, the first column counting, with a header."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    block = "".join(f"{n:07d}.5,1.2345678901,2.3456789012,9\n" for n in range(50_000)).encode()
    with path.open("wb") as file:
        file.write(b"number,a,b,c\n")
        for _ in range(2 * 10**8 // len(block)):
            file.write(block)
    yield path
    path.unlink()


def test_a_large_file_is_sampled_evenly(large):
    table = read_table(large)
    every = -(-large.stat().st_size // tables.READ_WHOLE)
    assert f"The file has 200 MB, so only one in {every} rows was read." in str(table)
    assert len(table.Y) == pytest.approx(large.stat().st_size / 38 / every, rel=0.01)
    assert abs(table.Y[:, 0].mean() - 25_000) < 250


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_large_file_needs_little_memory(large):
    # Not getrusage: what that says of a process begins with the size of its parent.
    code = (
        "import re, sys\n"
        "from ukrlearn.course.tables import read_table\n"
        "read_table(sys.argv[1])\n"
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1])"
    )
    peak = int(subprocess.check_output([sys.executable, "-c", code, str(large)], text=True))
    assert peak < 300_000, "kB: half as much again as the file itself"


def test_a_larger_one_is_refused_before_it_is_read(large, monkeypatch):
    monkeypatch.setattr(tables, "REFUSED", 1e8)
    with pytest.raises(ValueError, match="large.csv must have at most 0 GB; it has 0.2 GB"):
        read_table(large)


# ---- writing ------------------------------------------------------------------------------------


def test_what_is_written_is_read_back_to_the_bit(tmp_path):
    X = np.random.RandomState(0).normal(size=(20, 2)) * 10.0 ** np.arange(-9, 11)[:, None]
    names = [f"plant, {n}" for n in range(20)]
    path, backup = write_embedding(tmp_path / "out.csv", X, columns={"kind": names})
    table = read_table(path)
    assert (path.name, backup) == ("out.csv", None)
    assert table.names == ("row", "x1", "x2")
    np.testing.assert_array_equal(table.Y[:, 1:], X)
    np.testing.assert_array_equal(table.Y[:, 0], np.arange(1, 21))
    assert table.texts["kind"] == tuple(names)
    assert not list(tmp_path.glob("*.part"))


def test_nothing_is_overwritten(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("precious")
    first = write_embedding(path, [[1.0], [2.0]])
    second = write_embedding(str(path), [3.0, 4.0], rows=[7, 9])
    assert [first.backup.name, second.backup.name] == ["out.backup.csv", "out.backup2.csv"]
    assert first.backup.read_text() == "precious"
    assert second.backup.read_text() == "row,x1\n1,1.0\n2,2.0\n"
    assert path.read_text() == "row,x1\n7,3.0\n9,4.0\n"


def test_a_column_of_the_same_name_gets_another(tmp_path):
    path, _ = write_embedding(tmp_path / "o.csv", [[1.0, 2.0]], columns={"x1": ["a"], "row": ["b"]})
    with path.open() as file:
        assert next(csv.reader(file)) == ["row", "x1", "x2", "x1 (2)", "row (2)"]


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[np.nan, 1.0]], {}, "X must be finite; got 1 entries"),
        (np.zeros((0, 2)), {}, r"X must hold coordinates, \(N, q\); got shape \(0, 2\)"),
        ([[1.0]], {"rows": [1, 2]}, "row must have the 1 rows of X; got 2"),
        ([[1.0]], {"columns": {"kind": []}}, "kind must have the 1 rows of X; got 0"),
    ],
)
def test_what_is_no_embedding_is_refused_and_nothing_written(tmp_path, X, options, message):
    with pytest.raises(ValueError, match=message):
        write_embedding(tmp_path / "out.csv", X, **options)
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(ValueError, match="is a folder. Add a name"):
        write_embedding(tmp_path, [[1.0]])
    with pytest.raises(ValueError, match="there is no .*nowhere"):
        write_embedding(tmp_path / "nowhere" / "out.csv", [[1.0]])


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "out.csv"
    path.write_text("precious")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ukrlearn.course.writing.os.replace", full)
    with pytest.raises(ValueError, match="can't be written: No space left on device"):
        write_embedding(path, [[1.0]])
    assert [file.name for file in tmp_path.iterdir()] == ["out.csv"]
    assert path.read_text() == "precious"


# ---- anything at all ----------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300) | st.text("1,;. \t\n\r\"'a-#\u00e9", max_size=200).map(str.encode))
def test_any_bytes_give_a_finite_table_or_a_reason(content):
    try:
        table = read_table(content)
    except ValueError as reason:
        assert len(str(reason)) > 20
        assert not isinstance(reason, UnicodeError)
    else:
        assert table.Y.shape == (len(table.rows), len(table.names)) and table.Y.size
        assert np.isfinite(table.Y).all()
