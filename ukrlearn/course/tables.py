"""Reading tables of numbers from CSV files, and writing embeddings.

The encoding, the separator, the decimal mark and the presence of a header are detected.
`Table.notes` lists the rows and columns that are left out, and `Table.lines` accounts for every
line of the file. If a file cannot be read as a table of numbers, a ValueError says what to do. Only
NumPy and Python are needed.

>>> table = read_table(b"length;width;kind\\n1,5;2;a\\n3,5;4;b\\n")
>>> table.Y
array([[1.5, 2. ],
       [3.5, 4. ]])
>>> table.names, table.texts["kind"]
(('length', 'width'), ('a', 'b'))
>>> print(table)
2 rows and 2 columns of numbers: length, width.
Column 'kind' is left out: it holds text, such as 'a'.
Semicolons separate the columns, and commas are decimal marks.
>>> table.lines
Lines(kept=2, dropped=0, header=1, comments=0, blank=0, skipped=0)
"""

import contextlib
import csv
import io
import math
import os
import re
import stat
import textwrap
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ukrlearn.course.writing import user_path, write_whole

__all__ = ["Lines", "Table", "Written", "read_table", "write_embedding"]

READ_WHOLE = 10_000_000  # bytes, about 200 MB as Python strings; larger files are sampled
REFUSED = 2_000_000_000  # bytes; skipping through a larger file takes more than a minute
LONGEST_LINE = 1_000_000  # characters; a longer line has too many columns for every use here
BEGINNING = 65_536  # bytes used to detect the encoding
HEAD = 200, 2_000_000  # lines and characters used to detect the separator
LONGEST_SHOWN = 100  # characters of a path in a message

NO_SEPARATOR = "\x1f"  # does not occur in text, so there is one column
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
MISSING = {"", "na", "n/a", "nan", "null", "none", "nil", "-", "--", ".", "?", "#n/a", "missing"}
ALMOST_ALL = 0.9  # if this share of cells are numbers, the other cells count as missing
MOSTLY = 0.5  # if more than this share is missing, the column is left out instead of the rows

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity)", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"[+-]?(\d+(\.\d{3})*,\d*|,\d+)([eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")  # 1,234,567.8
_GROUPED_BY_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")  # 1.234 if commas are decimal


class Lines(NamedTuple):
    """What became of the lines of a file. Their sum is the number of lines in the file.

    A row takes several lines if a quoted field holds line breaks.
    """

    kept: int
    dropped: int
    header: int  # the names, and Excel's sep=;
    comments: int
    blank: int
    skipped: int = 0  # if only a sample of the rows was read


@dataclass(frozen=True)
class Table:
    """The numbers in a file, its columns of text, and notes on what was left out.

    `rows` holds the row number in the file for each row of `Y`, counted from 1 below the header (in
    a sample, among the rows that were read). `texts` holds the columns of text for the same rows.
    `lines` accounts for every line of the file.
    """

    Y: np.ndarray  # (N, d), finite
    names: tuple[str, ...]
    rows: np.ndarray  # (N,)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dropped_columns: tuple[str, ...] = ()
    dropped_rows: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    lines: Lines | None = None

    def __str__(self):
        N, d = self.Y.shape
        first = f"{_count(N, 'row')} and {_count(d, 'column')} of numbers: {_some(self.names)}."
        return "\n".join([first, *self.notes])


class Written(NamedTuple):
    """The path of a written embedding, and the new path of an older file with its name."""

    path: Path
    backup: Path | None = None


def read_table(source, *, header=None) -> Table:
    """The numbers of a CSV file (N, d), their names, and notes on what was left out.

    Separators (comma, semicolon, tab, bar, spaces), decimal commas, quotes, and the encoding
    (UTF-8, UTF-16, otherwise Windows-1252 or Latin-1) are detected. The notes list all columns and
    rows that are left out: columns of text, columns with more than half of their numbers missing,
    unnamed columns that only count the rows, rows with a missing number, and rows with too many or
    too few fields. From a file of more than 10 MB, only a sample of evenly spread rows is read, to
    save memory. A file of more than 2 GB is refused.

    No line is lost: `Table.lines` accounts for all of them. A quotation mark that is not closed, or
    that is closed only in another row, would hide the rows between. The file is then refused, and
    the message names the line.

    Parameters
    ----------
    source : str, path or bytes
        The file, or its content.
    header : bool, optional
        Whether the first row holds names. By default, it does if none of its fields is a number.

    Returns
    -------
    table : Table

    Raises
    ------
    ValueError
        If the source is not a table with numbers. The message says why, and what to do.
    """
    content, name = _content(source)
    with content:
        try:
            return _read(content, name, header)
        except OSError as problem:
            raise ValueError(f"{name} can't be read: {problem.strerror}.") from None


def write_embedding(path, X, *, rows=None, columns=None) -> Written:
    """Write latent coordinates as CSV: row number, x1, x2, ..., and further columns.

    Nothing is overwritten: an older file with this name is first renamed to name.backup.csv
    (backup2, ...). The file is written whole or not at all, as UTF-8, and its numbers read back to
    the same bits. A text that a spreadsheet would run as a formula, such as ``=SUM(A1:A9)``, is
    written with an apostrophe before it.

    Parameters
    ----------
    path : str or path
        The file to write. Its folder must exist.
    X : array of shape (N, q)
        Latent coordinates; a vector becomes one column.
    rows : sequence of N, optional
        The first column; by default 1 to N. Pass `Table.rows` if rows were left out of the data.
    columns : dict of str to sequence of N, optional
        Further columns, such as ``{"species": table.texts["species"]}``.

    Returns
    -------
    written : Written (path, backup)
        `backup` is None if there was no older file.
    """
    X = np.asarray(X, dtype=float)
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2 or X.size == 0:
        raise ValueError(f"X must hold coordinates, (N, q); got shape {X.shape}.")
    if not np.isfinite(X).all():
        raise ValueError(f"X must be finite; got {np.sum(~np.isfinite(X))} entries that are not.")
    table = {"row": range(1, len(X) + 1) if rows is None else rows}
    table |= {f"x{j + 1}": X[:, j].tolist() for j in range(X.shape[1])}
    columns = {name: list(map(_harmless, values)) for name, values in (columns or {}).items()}
    names = _unique([*table, *map(_harmless, columns)])
    table = dict(zip(names, [*table.values(), *columns.values()], strict=True))
    for name, values in table.items():
        if len(values) != len(X):
            raise ValueError(f"{name} must have the {len(X)} rows of X; got {len(values)}.")

    return _written(user_path(path), table)


# ---------------------------------------------------------------------------------------- reading


class _Unclosed(io.BufferedIOBase):
    """A binary file that stays open after its text is closed, to be read in another encoding."""

    def __init__(self, file):
        self._file = file

    def readable(self):
        return True

    def read(self, size=-1):
        return self._file.read(size)

    read1 = read


def _content(source):
    """The source as an open binary file, and its name in messages."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return io.BytesIO(source), "the file"
    if not isinstance(source, (str, os.PathLike)):
        kind = type(source).__name__
        raise TypeError(f"source must be a path or the bytes of a file; got {kind}.")
    given = os.fsdecode(source).strip()
    if not given:
        raise ValueError("source must be the path of a file; got an empty path.")
    shown = given  # of a long one its beginning, and its end, which names the file
    if len(given) > LONGEST_SHOWN:
        shown = f"{given[: LONGEST_SHOWN // 3]}...{given[-LONGEST_SHOWN * 2 // 3 :]}"
    try:
        if "\0" in given:
            raise ValueError(f"source must be the path of a file; {shown!r} can't be one.")
        path = Path(given).expanduser()
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            inside = sorted(file.name for file in path.iterdir() if file.suffix == ".csv")
            hint = f"It holds {_some(inside)}." if inside else "Add the name of a file."
            raise ValueError(f"source must be a file; {path} is a folder. {hint}")
        if not stat.S_ISREG(about.st_mode):  # opening or reading it might never return
            raise ValueError(
                f"source must be an ordinary file; {shown} is a pipe, a socket or a device. Write "
                "its content to a file first."
            )
        if not about.st_size:  # true of files in /proc as well, some of which never end
            raise ValueError(
                f"{path.name} must hold numbers; it is empty, with a size of 0. Was it saved?"
            )
        return path.open("rb"), path.name
    except FileNotFoundError:
        raise ValueError(
            f"There is no file {shown}; {_current_folder()}. Check the spelling, or give the whole "
            "path."
        ) from None
    except OSError as problem:
        raise ValueError(f"{shown} can't be opened: {problem.strerror}.") from None
    except RuntimeError:
        raise ValueError(
            f"There is no home folder for {Path(given).parts[0]}. Give the whole path, or begin it "
            "with ./ if the name of the file begins with ~."
        ) from None
    except UnicodeError:
        raise ValueError(f"source must be the path of a file; {shown!r} can't be one.") from None


def _current_folder():
    try:
        return f"the current folder is {Path.cwd().name or Path.cwd()}"
    except OSError:
        return "the current folder was deleted"


def _read(content, name, header):
    """The table in an open binary file."""
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    beginning = content.read(BEGINNING)
    every = _sampling(size, beginning, name)
    for encoding in _encodings(beginning, name):
        content.seek(0)
        text = io.TextIOWrapper(_Unclosed(content), encoding, newline="")
        try:
            return _parsed(text, name, header, every, size, encoding)
        except UnicodeError:
            continue
    raise ValueError(f"{name} must be text; no known encoding fits its bytes. Save it as UTF-8.")


def _sampling(size, beginning, name):
    """1 to read all lines, k to read every k-th line; ValueError for files that cannot be read."""
    if not beginning.strip(b"\0\t\r\n \xef\xbb\xbf\xff\xfe"):
        raise ValueError(f"{name} must hold numbers; it is empty. Was it saved?")
    for start, kind in _OTHER_FORMATS.items():
        if beginning.startswith(start):
            raise ValueError(f"{name} must be a CSV file; it is {kind}. {_SAVE_AS}")
    if size > REFUSED:
        raise ValueError(
            f"{name} must have at most {REFUSED / 1e9:.0f} GB; it has {size / 1e9:.1f} GB. Extract "
            "a part of it first."
        )
    return max(1, math.ceil(size / READ_WHOLE))


_SAVE_AS = "Open it in the program that made it, and save or export it as CSV."
_OTHER_FORMATS = {
    b"PK\x03\x04": "a zip archive (Excel's .xlsx is one)",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"%PDF": "a PDF",
    b"\x89PNG": "a PNG picture",
    b"\x1f\x8b": "compressed with gzip",
    b"\x93NUMPY": "a NumPy file (read it with numpy.load)",
    b"\x89HDF": "an HDF5 file",
    b"PAR1": "a Parquet file",
    b"<!DOCTYPE": "a web page",
    b"<html": "a web page",
}


def _encodings(beginning, name):
    """The encodings to try, the strictest first."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ["utf-16"]
    zeros = [beginning[place::2].count(0) / max(len(beginning) // 2, 1) for place in (0, 1)]
    if max(zeros) > 0.3 > 0.05 > min(zeros):
        return ["utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"]
    if any(zeros):
        raise ValueError(f"{name} must be text; it holds binary data. {_SAVE_AS}")
    return ["utf-8-sig", "cp1252", "latin-1"]


def _parsed(text, name, header, every, size, encoding):
    """The table in an open text file; UnicodeError if the encoding was wrong."""
    notes = []
    if encoding in ("cp1252", "latin-1"):
        notes.append("The file is not UTF-8; it was read as Windows-1252, as Excel writes it.")
    if every > 1:
        notes.append(f"The file has {size / 1e6:.0f} MB, so only one in {every} rows was read.")
    lines = _lines(text, name)
    head = _head(lines)
    separator, comments, n_before = _preamble(head)
    head = head[n_before:]
    filled = [line for line in head if line.strip()]
    if not filled:
        raise ValueError(f"{name} must hold rows of numbers; it ends before the first row.")
    lines_of = Counter(header=int(separator is not None), comments=len(comments))
    lines_of["blank"] = n_before - lines_of.total()
    separator = separator or _separator(filled)
    if comments and _is_header_of(comments[-1], filled, separator):
        head.insert(0, comments.pop().lstrip("# "))  # as numpy.savetxt writes it
        lines_of["comments"] -= 1
        n_before -= 1
    if comments:
        notes.append(_left_out(len(comments), "line", "with # at the beginning"))
    records = _records(chain(head, lines), separator, n_before + 1, name)
    rows, spans, of_rows, joined = _sampled(records, every, separator, filled, name)
    lines_of.update(of_rows)
    try:
        table = _table(rows, name, header, separator, [*notes, *joined], sampled=every > 1)
    except ValueError as problem:
        raise ValueError(" ".join([str(problem), *joined])) from None
    n_names = len(rows) - len(table.rows) - len(table.dropped_rows)  # rows of names: 1 or 0
    lines_of["header"] += sum(spans[:n_names])
    lines_of["kept"] = sum(spans[n_names + row - 1] for row in table.rows)
    lines_of["dropped"] = sum(spans[n_names:]) - lines_of["kept"]
    return replace(table, lines=Lines(**{kind: lines_of[kind] for kind in Lines._fields}))


def _sampled(records, every, separator, head, name):
    """The fields of every k-th row, its number of lines, counts of other lines, and a note."""
    rows, spans, joined = [], [], []
    blank = skipped = n_rows = 0
    shape = cache(partial(_shape, head, separator))
    for number, record in records:
        if len(record) > 1:
            _demand_one_row(record, number, separator, shape(), name, is_first=n_rows == 0)
            joined.append(number)
        elif record[0].isspace():
            blank += 1
            continue
        if n_rows == 0 or (n_rows - 1) % every == 0:
            rows.append(_fields(record, separator, number, name))
            spans.append(len(record))
        else:
            skipped += len(record)
        n_rows += 1
    notes = []
    if joined:
        have = "row has" if len(joined) == 1 else "rows have"
        notes = [
            f"{len(joined):,} {have} line breaks in quotation marks, from line {joined[0]} on."
        ]
    return rows, spans, {"blank": blank, "skipped": skipped}, notes


def _preamble(head):
    """Before the first row: a declared separator or None, comments, and the number of lines."""
    separator, comments = None, []
    for number, line in enumerate(head):
        declared = re.fullmatch(r'"?sep=(.)"?\s*', line)  # Excel's first line
        if declared and not separator and not comments:
            separator = declared[1]
        elif line.startswith("#"):
            comments.append(line)
        elif line.strip():
            return separator, comments, number
    return separator, comments, len(head)


def _head(lines):
    """The first lines, which are used to detect the separator."""
    head, characters = [], 0
    most_lines, most_characters = HEAD
    for line in lines:
        head.append(line)
        characters += len(line)
        if len(head) == most_lines or characters > most_characters:
            break
    return head


def _is_header_of(comment, head, separator):
    """Whether a comment line holds the names of the columns below it."""
    (names,) = _split([comment.lstrip("# ")], separator)
    (first,) = _split(head[:1], separator)
    return len(names) == len(first) and _is_header(names) and not _is_header(first)


def _lines(text, name):
    """All lines; ValueError if one is too long for a row of a table."""
    number = 0
    while line := text.readline(LONGEST_LINE):
        number += 1
        if len(line) >= LONGEST_LINE:
            raise ValueError(
                f"{name} must hold a table; it has a line of more than {LONGEST_LINE:,} characters "
                f"(line {number}). Is it a CSV file?"
            )
        yield line


def _separator(head):
    """The separator that gives rows of equal length with the most numbers."""
    return max([*SEPARATORS, NO_SEPARATOR], key=lambda separator: _fit(head, separator))


def _fit(head, separator):
    """How well a separator fits some lines; -1 if it does not occur."""
    try:
        rows = list(_split(head, separator))
    except csv.Error:
        return -1.0
    width, agreeing = Counter(map(len, rows)).most_common(1)[0]
    if width < 2 and separator != NO_SEPARATOR:
        return -1.0
    cells = [cell for row in rows[1:] or rows for cell in row if cell.strip()]
    numbers = sum(map(_is_number, cells)) / max(len(cells), 1)
    fit = (agreeing / len(rows)) ** 2 * (0.05 + numbers)
    # If the header has fewer fields, commas are probably decimal marks: height / 1,5 / 2,5.
    header_differs = len(rows[0]) != width and separator not in " \t"
    return fit * (0.3 if header_differs else 0.5 if separator == NO_SEPARATOR else 1.0)


def _split(lines, separator, **options):
    """Rows of fields."""
    if separator == " ":
        lines = (line.strip() + "\n" for line in lines)
    return csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t", **options)


def _records(lines, separator, number, name):
    """The lines of each row, after the number of the first: several if quotes hold line breaks."""
    for line in lines:
        record = [line]
        if '"' in line:
            _fields(chain([line], _noting(lines, record)), separator, number, name)
        yield number, record
        number += len(record)


def _noting(lines, record):
    """The lines; those that are taken are appended to the record."""
    for line in lines:
        record.append(line)
        yield line


def _fields(record, separator, number, name):
    """The fields of a row, which begins in the line with this number."""
    try:
        return next(_split(record, separator))
    except csv.Error as problem:
        raise ValueError(
            f"{name} can't be read as CSV: {problem}, in the row that begins in line {number}. Is "
            "a closing quotation mark missing?"
        ) from None


class _Shape(NamedTuple):
    """What the first lines of a file say of all its rows."""

    width: int
    numbers: tuple[int, ...]  # the places of columns of numbers


def _shape(head, separator):
    rows = []
    with contextlib.suppress(csv.Error):
        rows.extend(_split(head, separator))
    width = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    # Line by line, because a stray quotation mark may have joined rows here already.
    alone = [cells for line in head if len(cells := _cells(line, separator)) == width]
    shares = (np.mean([_is_number(cell) for cell in column]) for column in zip(*alone, strict=True))
    return _Shape(width, tuple(place for place, share in enumerate(shares) if share > MOSTLY))


def _cells(line, separator):
    """The fields of a line by itself, in which quotation marks protect nothing."""
    (cells,) = _split([line], separator, quoting=csv.QUOTE_NONE)
    return [cell.strip(' "\r\n') for cell in cells]


def _demand_one_row(record, number, separator, shape, name, is_first):
    """Check that lines which quotation marks join are one row and hide no others."""
    if why := _hides_rows(record, separator, shape, is_first):
        raise ValueError(
            f"{name} must close every quotation mark in its own row; one in line {number} joins "
            f"lines {number} to {number + len(record) - 1}, {why}. Add the mark that is missing, "
            "or remove the one too many."
        )


def _hides_rows(record, separator, shape, is_first):
    """Why lines that quotation marks join cannot be one row, or None."""
    try:
        (fields,) = _split(record, separator, strict=True)
    except csv.Error:
        return "and is never closed, or other text follows where it is closed"
    is_header = is_first and _is_header(fields)
    if len(fields) != shape.width and not is_header:
        return f"and the row has {_count(len(fields), 'field')} in place of {shape.width}"
    if not is_header and any(re.search(r"[\r\n]", fields[place]) for place in shape.numbers):
        return "in a column of numbers"
    # The lines of one row share its separators. Two lines that have all of them are two rows.
    whole = [_is_whole(line, separator, shape) for line in record]
    hides = any(whole[1:]) if is_header else sum(whole) >= 2
    return "and they look like rows of their own" if hides else None


def _is_whole(line, separator, shape):
    """Whether a line by itself has all fields of a row, and numbers where a row has them."""
    cells = _cells(line, separator)
    if len(cells) != shape.width or not shape.numbers:
        return False
    numbers = [cells[place] for place in shape.numbers]
    return any(map(_is_number, numbers)) and all(
        _is_number(cell) or cell.lower() in MISSING for cell in numbers
    )


def _table(rows, name, header, separator, notes, sampled):
    """The table in rows of fields: names, types of columns, and missing values are detected."""
    has_header = _is_header(rows[0]) if header is None else header
    head, body = (rows[0], rows[1:]) if has_header else (None, rows)
    if not body:
        raise ValueError(f"{name} must have rows of numbers below its header; it has none.")
    width = Counter(map(len, body)).most_common(1)[0][0]
    whole = np.array([len(row) == width for row in body])
    names, unnamed = _names(head, width)
    fields = list(zip(*(row for row, here in zip(body, whole, strict=True) if here), strict=True))
    fields = [tuple(field.strip() for field in column) for column in fields]
    comma = _uses_decimal_commas(fields, separator)

    about_columns, numbers, texts = [], {}, {}
    for column, values in zip(names, fields, strict=True):
        found = np.array([_number(value, comma) for value in values])
        kept, note = _kind_and_note(column, values, found, column in unnamed)
        if kept == "numbers":
            numbers[column] = found
        elif kept == "text":
            texts[column] = values
        about_columns += [note] if note else []
    if not numbers:
        raise ValueError(
            f"{name} must have a column of numbers; none of its {_count(width, 'column')} holds "
            f"numbers ({_some(names)}). Is the separator one of , ; tab | or space?"
        )
    complete = np.isfinite(list(numbers.values())).all(axis=0)
    if not complete.any():
        worst = max(numbers, key=lambda column: np.isnan(numbers[column]).sum())
        raise ValueError(
            f"{name} must have a row without missing numbers; none of its "
            f"{_count(len(complete), 'row')} is complete. Column {worst!r} has the most missing "
            "numbers."
        )
    kept_rows = np.flatnonzero(whole)[complete] + 1
    dropped = np.setdiff1d(np.arange(len(body)) + 1, kept_rows)
    for reason, count in (
        (f"without exactly {_count(width, 'field')}", (~whole).sum()),
        ("in which a number is missing", (~complete).sum()),
    ):
        if count:
            about_columns.append(_left_out(int(count), "row", reason))
    if len(dropped) and not sampled:
        about_columns.append(f"Rows left out, counted from 1 below the header: {_some(dropped)}.")
    Y = np.column_stack([values[complete] for values in numbers.values()])
    for column, values in zip(numbers, Y.T, strict=True):
        if len(values) > 1 and not np.ptp(values):
            about_columns.append(f"Column {column!r} is the same in all rows.")
    return Table(
        Y=Y,
        names=tuple(numbers),
        rows=kept_rows,
        texts={
            column: tuple(value for value, here in zip(values, complete, strict=True) if here)
            for column, values in texts.items()
        },
        dropped_columns=tuple(column for column in names if column not in numbers),
        dropped_rows=tuple(dropped.tolist()),
        notes=(*about_columns, *_about_the_format(head, width, separator, comma), *notes),
    )


def _kind_and_note(column, values, found, is_unnamed):
    """Whether a column is "numbers", "text" or None, and a note about it."""
    missing = np.array([value.lower() in MISSING for value in values])
    odd = np.isnan(found) & ~missing
    lost = np.isnan(found).mean()
    if missing.all():
        return None, f"Column {column!r} is left out: it is empty."
    example = values[odd.argmax()]
    if odd.sum() > (1 - ALMOST_ALL) * (~missing).sum():
        return "text", f"Column {column!r} is left out: it holds text, such as {example!r}."
    if lost > MOSTLY:
        return None, f"Column {column!r} is left out: {lost:.0%} of it is missing."
    counts = len(found) > 2 and found[0] in (0, 1) and np.all(np.diff(found) == 1)
    if counts and is_unnamed:
        return None, f"Column {column!r} is left out: it has no name and counts the rows."
    if counts:
        return "numbers", f"Column {column!r} counts the rows. Is it data?"
    if odd.any():
        fields = f"{_count(int(odd.sum()), 'field')} {'holds' if odd.sum() == 1 else 'hold'}"
        return "numbers", f"Column {column!r}: {fields} no number, such as {example!r}."
    return "numbers", None


def _about_the_format(head, width, separator, comma):
    """Notes on the detected format, if it is not the usual one."""
    if width > 1 and (separator != "," or comma):
        between = SEPARATORS.get(separator, repr(separator)).capitalize()
        yield f"{between} separate the columns{', and commas are decimal marks' * comma}."
    elif comma:
        yield "Commas are decimal marks."
    if head is None:
        yield "There is no header, so columns are numbered."


def _is_header(row):
    """Whether no field is a number, and not all fields are missing."""
    return not any(map(_is_number, row)) and any(
        cell.strip().lower() not in MISSING for cell in row
    )


def _names(head, width):
    """A unique name for each column, and the names of columns that had none."""
    if head is None:
        return tuple(f"column {k + 1}" for k in range(width)), set()
    if len(head) == width - 1:  # as R writes tables: the row names have no name
        head = ["", *head]
    given = [" ".join(name.splitlines()).strip().lstrip("#").strip() for name in head[:width]]
    given += [""] * (width - len(given))
    nameless = [not name or bool(re.fullmatch(r"Unnamed: \d+", name)) for name in given]
    names = tuple(
        _unique(f"column {k + 1}" if nameless[k] else name for k, name in enumerate(given))
    )
    return names, {name for name, without in zip(names, nameless, strict=True) if without}


def _unique(names):
    """The names; those that are taken are followed by a number."""
    taken, last = set(), {}
    for name in names:
        free, number = name, last.get(name, 1)
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        last[name] = number
        taken.add(free)
        yield free


def _uses_decimal_commas(fields, separator):
    """Whether more numbers make sense only with decimal commas than only with points."""
    commas = points = 0
    for cell in (cell for column in fields for cell in column[:200]):
        if _GROUPED.fullmatch(cell):
            # 1,234 is ambiguous; if commas are not separators, they are probably decimal marks.
            commas += separator != "," and "." not in cell
        elif "," in cell:
            commas += bool(_COMMA_NUMBER.fullmatch(cell))
        elif "." in cell:
            points += bool(_NUMBER.fullmatch(cell))
    return commas > points


def _is_number(cell):
    """Whether a field is a number with a point, a comma, or groups of three digits."""
    cell = _plain(cell)
    return any(form.fullmatch(cell) for form in (_NUMBER, _COMMA_NUMBER, _GROUPED))


def _number(cell, comma):
    """The number in a field; NaN for other text and for infinity, which nothing here can use."""
    cell = _plain(cell)
    if comma and _COMMA_NUMBER.fullmatch(cell):
        cell = cell.replace(".", "").replace(",", ".")
    elif comma and _GROUPED_BY_POINTS.fullmatch(cell):
        cell = cell.replace(".", "")
    elif not comma and _GROUPED.fullmatch(cell):
        cell = cell.replace(",", "")
    if not _NUMBER.fullmatch(cell):
        return math.nan
    value = float(cell)
    return value if math.isfinite(value) else math.nan


def _plain(cell):
    """The field without surrounding blanks, and with an ASCII minus sign."""
    return cell.strip().replace("\u2212", "-")


# ---------------------------------------------------------------------------------------- writing


def _written(path, table):
    """Write the whole table or nothing; an older file is kept under another name."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return Written(path, write_whole(path, text.getvalue().encode(), backup="backup"))


def _harmless(value):
    """The value, with an apostrophe if it is a text that a spreadsheet would run as a formula."""
    if not isinstance(value, str) or not value.lstrip().startswith(_FORMULA):
        return value
    return value if _is_number(value) or value.strip().lower() in MISSING else f"'{value}"


_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # the last four are wide forms of the first


# ------------------------------------------------------------------------------------------ words


def _count(number, thing):
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _left_out(number, thing, description):
    return f"{_count(number, thing)} {description} {'is' if number == 1 else 'are'} left out."


def _some(things, most=6):
    """The first few things, and how many there are."""
    shown = ", ".join(textwrap.shorten(str(thing), 60) for thing in things[:most])
    return shown if len(things) <= most else f"{shown}, ... ({len(things):,} in all)"
