"""CSV files as people have them, and embeddings that overwrite nothing."""

import csv
import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from helpers import each
from hypothesis import given, settings
from hypothesis import strategies as st

from ukrlearn.course import tables
from ukrlearn.course.tables import read_table, write_embedding

NUMBERS = np.array([[1.5, -2.0, 3e-4], [4.0, 5.25, -6.5], [7.0, 8.0, 9.75]])


def written(separator=",", decimal=".", header=("length", "width", "height"), end="\n"):
    rows = [separator.join(header)] if header else []
    rows += [separator.join(f"{v:.12g}".replace(".", decimal) for v in row) for row in NUMBERS]
    return end.join(rows) + end


# ---- form ---------------------------------------------------------------------------------------


@each("end", ["\n", "\r\n", "\r"])
@each("header", [("length", "width", "height"), None])
@each(
    "separator, decimal",
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


@each("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
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


@each(
    "content, expected",
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


@each("missing", ["", "NA", "n/a", "NaN", "null", "-", "?", "inf", "1e999"])
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


@each(
    "content, message",
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


# ---- every line is accounted for ----------------------------------------------------------------


def with_rows(changes, N=5000):
    """A table of N rows in which some are replaced: two columns of numbers and one of text."""
    rows = [f"{n}.5,{n * n},k{n % 3}" for n in range(N)]
    for n, row in changes.items():
        rows[n] = row
    return ("a,b,kind\n" + "\n".join(rows) + "\n").encode()


def test_the_lines_of_a_file_are_kept_dropped_or_of_another_kind():
    content = (
        b'sep=;\n\n# made on a Monday\n\n"a\n(mm)";b;kind\n1;2;"two\n\nlines"\n\t\n;4;x\n5;6\n'
        b'7;8;"three\nlines\nhere"\n\n9;9;z'
    )
    table = read_table(content)
    assert table.names == ("a (mm)", "b")
    assert table.Y.tolist() == [[1, 2], [7, 8], [9, 9]]
    assert table.lines == (7, 2, 3, 1, 4, 0)
    assert sum(table.lines) == len(content.splitlines())
    assert "3 rows have line breaks in quotation marks, from line 5 on" in str(table)
    assert table.texts["kind"][0] == "two\n\nlines"


def test_names_in_a_comment_are_the_header():
    assert read_table(b"# by me\n# a b\n1 2\n3 4\n").lines == (2, 0, 1, 1, 0, 0)
    assert read_table(b"# by me alone\n\n1 2\n3 4\n").lines == (2, 0, 0, 1, 1, 0)


@each(
    "changes, last, why",
    [
        ({2000: '"2.5,3,k'}, 5001, "never closed"),
        ({2000: '2.5,3,"k'}, 5001, "never closed"),
        ({2000: '2.5,"3,k'}, 5001, "never closed"),
        ({2000: '2.5,3,"k', 2001: '2.5,3,k"'}, 2003, "look like rows of their own"),
        ({2000: '2.5,3,"', 2300: '2.5,3,"'}, 2302, "look like rows of their own"),
        ({2000: '"2.5,3,k', 2300: '"2.5,3,k'}, 2302, "other text follows where it is closed"),
        ({2000: '"2.5,3,k', 2300: '2.5",3,k'}, 2302, "in a column of numbers"),
        ({2000: '2.5,"3,k', 2300: '2.5",3,k'}, 2302, "the row has 4 fields in place of 3"),
        ({2000: '2.5,"3,k', 2300: '2.5,3,k"'}, 2302, "the row has 2 fields in place of 3"),
    ],
)
@each("size", [10**7, 3000], ids=["whole", "sampled"])
def test_a_stray_quotation_mark_hides_no_rows(monkeypatch, changes, last, why, size):
    monkeypatch.setattr(tables, "READ_WHOLE", size)
    with pytest.raises(ValueError) as error:
        read_table(with_rows(changes))
    message = str(error.value)
    assert "one in line 2002 joins lines 2002 to" in message
    assert re.search(r"to (\d+),", message)[1] == str(last)
    assert why in message and "Add the mark that is missing" in message


@each(
    "content, says",
    [
        (b'a,b,"c\n1,2,"\n3,4,5\n6,7,8\n', "joins lines 1 to 2, and they look like rows"),
        (b'"a,b,c\n' + b"1,2,3\n" * 300 + b'4,5,6"\n1,2,3\n', "in quotation marks, from line 1 on"),
        (b'a,b\n1,2\n3,4\n5,"6', None),
        (b'a,b\n1,2\n3,4\n5,"6\n7,8\n', "one in line 4 joins lines 4 to 5"),
        (b'# a,b\n1,2\n3,"4\n5,6\n', "one in line 3 joins lines 3 to 4"),
        (b'1,2,"\n3,4,"\n5,6,x\n', "one in line 1 joins lines 1 to 2"),
        (b'a,b\n"1,2\n' + b"3,4\n" * 60_000, "in the row that begins in line 2"),
        (b"a,b\n1,2\n" + b"1" * 2_000_000, "characters (line 3)"),
    ],
)
def test_where_a_quotation_mark_is_wrong_is_said(content, says):
    if says is None:  # the last line is a whole row, so nothing is lost
        assert read_table(content).lines == (3, 0, 1, 0, 0, 0)
    else:
        with pytest.raises(ValueError) as error:
            read_table(content)
        assert says in str(error.value)
        assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "content",
    [
        b'n,where\n1,"Flat 3\nHigh Street, London"\n2,x\n3,y\n',
        b'"two\nlines",5,6\nx,1,2\ny,3,4\n',
        b'a,b,c,note\n1,2,3,"5, 6\n7, 8"\n4,5,6,"x"\n7,8,9,\n',
        b'a "b\nc" d\n1 "x y\n\nz" 2\n3 u 4\n',
        b'note;a;b\n"one\ntwo";1,5;2\n"three\nfour";2,5;3\n',
    ],
)
def test_line_breaks_in_quotation_marks_are_no_mistake(content):
    table = read_table(content)
    assert table.dropped_rows == () and table.lines.dropped == 0
    assert sum(table.lines) == len(content.splitlines())
    assert any("\n" in text for texts in table.texts.values() for text in texts)


def test_a_quotation_mark_inside_a_field_loses_nothing():
    table = read_table(b'a,kind\n1,5" pipe\n2,the "long" one\n3,"the "short" one"\n4,\n')
    assert table.lines == (4, 0, 1, 0, 0, 0)


def test_a_sample_takes_rows_and_not_lines(monkeypatch):
    monkeypatch.setattr(tables, "READ_WHOLE", 10_000)
    rows = [f'{n},"note {n}\nand more, in two lines",{n * n}\n\n' for n in range(2000)]
    content = ("n,note,square\n" + "".join(rows)).encode()
    every = -(-len(content) // 10_000)
    table = read_table(content)
    np.testing.assert_array_equal(table.Y[:, 0], np.arange(0, 2000, every))
    np.testing.assert_array_equal(table.Y[:, 1], table.Y[:, 0] ** 2)
    kept = 2 * len(table.Y)
    assert table.lines == (kept, 0, 1, 0, 2000, 4000 - kept)
    assert f"one in {every} rows was read" in str(table)


LINES = st.lists(
    st.sampled_from(["1,2", "3,4", "5,", "x,6", '"7",8', '"a\nb",9', '"', ",", "", " ", "#", "z"])
)


@settings(max_examples=300, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r", "\r\n"]), st.sampled_from(["", "a,b", "# a,b"]))
def test_the_lines_add_up_or_the_file_is_refused(rows, end, header):
    text = end.join([header, *rows])
    try:
        table = read_table(text.encode())
    except ValueError as reason:
        assert not isinstance(reason, UnicodeError)
    else:
        assert sum(table.lines) == len(io.StringIO(text, newline="").readlines())
        assert table.lines.kept >= len(table.rows)
        assert (table.lines.dropped > 0) == (len(table.dropped_rows) > 0)


def test_sixty_thousand_columns_are_read():
    names = ["a"] * 30_000 + [f"a ({k})" for k in range(30_000)]
    row = ",".join(map(str, range(60_000)))
    table = read_table(f"{','.join(names)}\n{row}\n{row}\n".encode())
    assert table.Y.shape == (2, 60_000)
    assert len(set(table.names)) == 60_000
    assert table.names[29_999] == "a (30000)"


@pytest.mark.parametrize("name", ["a", "c{}", "a ({})"])
def test_the_work_for_names_grows_with_their_number(name):
    class Counted(str):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    def work(n):
        lines, Counted.compared = 0, 0

        def tracer(frame, event, argument):
            nonlocal lines
            lines += event == "line"
            return tracer

        names = [Counted(name.format(k)) for k in range(n)]
        before = sys.gettrace()
        sys.settrace(tracer)
        try:
            unique = list(tables._unique(names))
        finally:
            sys.settrace(before)
        assert len(set(unique)) == n
        return lines + Counted.compared

    assert work(1600) < 2.1 * work(800)


# ---- what is no ordinary file -------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_a_pipe_and_a_device_are_refused_without_opening_them(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for place in (tmp_path / "pipe.csv", "/dev/zero", "/dev/tty"):
        with pytest.raises(ValueError, match="must be an ordinary file; .* is a pipe, a socket or"):
            read_table(place)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
@pytest.mark.parametrize("name", ["self/status", "self/mem", "kmsg", "self/pagemap"])
def test_files_that_the_system_makes_up_are_not_read(name):
    path = Path("/proc", name)
    if not path.exists():
        pytest.skip("not on this system")
    with pytest.raises(ValueError, match="it is empty, with a size of 0. Was it saved?"):
        read_table(path)


@each(
    "path, message",
    [
        ("~nouser/x.csv", "There is no home folder for ~nouser. Give the whole path"),
        ("x" * 300 + "y.csv", "xy.csv can't be opened: File name too long."),
        ("x" * 5000 + "/y.csv", "can't be opened: File name too long."),
        ("x\0y", r"must be the path of a file; 'x\x00y' can't be one"),
        ("x\ud800", r"must be the path of a file; 'x\ud800' can't be one"),
        (f"{__file__}/x", "can't be opened: Not a directory"),
    ],
)
def test_paths_that_cannot_be_are_answered_in_one_sentence(path, message):
    with pytest.raises(ValueError) as error:
        read_table(path)
    assert message in str(error.value) and len(str(error.value)) < 300
    assert not isinstance(error.value, UnicodeError)


def test_a_path_like_object_and_a_home_folder_are_paths(tmp_path, monkeypatch):
    class Place:
        def __fspath__(self):
            return str(tmp_path / "a.csv")

    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.csv").write_text("a\n1\n")
    assert read_table(Place()).Y == read_table("~/a.csv").Y == [[1]]


def test_a_loop_of_links_and_a_deleted_folder_are_answered(tmp_path, monkeypatch):
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    with pytest.raises(ValueError, match="can't be opened: Too many levels of symbolic links"):
        read_table(tmp_path / "loop.csv")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(ValueError, match="no file x.csv; the current folder was deleted"):
        read_table("x.csv")


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="folders have no such permissions here")
def test_what_one_may_not_read_is_answered():
    # In a process of its own, which can give up the rights of root.
    code = (
        "import os, sys\n"
        "from ukrlearn.course.tables import read_table\n"
        "os.getuid() or os.setuid(65534)\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        read_table(path)\n"
        "    except ValueError as error:\n"
        "        print(error)"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "inside").mkdir()
        (folder / "secret.csv").write_text("a\n1\n")
        paths = ["secret.csv", ".", str(Path("inside", "x.csv"))]
        (folder / "secret.csv").chmod(0)
        (folder / "inside").chmod(0)
        folder.chmod(0o311)
        command = [sys.executable, "-c", code, *paths]
        said = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        folder.chmod(0o700)
        (folder / "inside").chmod(0o700)
    expected = "".join(f"{path} can't be opened: Permission denied.\n" for path in paths)
    assert (said.stdout, said.stderr) == (expected, "")


def test_a_disk_that_fails_is_answered(tmp_path, monkeypatch):
    class Failing(io.BytesIO):
        def read(self, size=-1):
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read(size)

    (tmp_path / "a.csv").write_text("a\n1\n")
    monkeypatch.setattr(Path, "open", lambda *_: Failing(b"a\n" + b"1\n" * 100_000))
    with pytest.raises(ValueError, match="a.csv can't be read: Input/output error"):
        read_table(tmp_path / "a.csv")


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


@pytest.mark.parametrize(
    "text", ["=cmd|'/C calc'!A0", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\uff1d1"]
)
def test_a_text_that_a_spreadsheet_would_run_is_written_as_text(tmp_path, text):
    path, _ = write_embedding(tmp_path / "o.csv", [[1.0]], columns={"kind": [text], text: ["x"]})
    with path.open(newline="", encoding="utf-8") as file:
        names, row = csv.reader(file)
    assert (names[2:], row[2:]) == (["kind", "'" + text], ["'" + text, "x"])


@pytest.mark.parametrize("text", ["a=b", "-1.5", "+3e4", "-", "--", "", "x-y", "'=1", "1=2"])
def test_other_texts_are_written_as_they_are(tmp_path, text):
    path, _ = write_embedding(tmp_path / "o.csv", [[-1.0]], rows=[-7], columns={"kind": [text]})
    with path.open(newline="") as file:
        assert list(csv.reader(file))[1] == ["-7", "-1.0", text]


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
