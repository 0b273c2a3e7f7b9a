"""Nothing that lies in a folder is lost by writing beside it or over it."""

import os

import pytest

from ukrlearn.course.writing import free_name, write_whole


def test_an_older_file_is_replaced_or_kept_under_a_mark(tmp_path):
    path = tmp_path / "X.csv"
    assert write_whole(path, b"one") is None
    assert write_whole(path, b"two") is None and path.read_bytes() == b"two"
    kept = write_whole(path, b"three", backup="backup")
    assert kept == tmp_path / "X.backup.csv" and kept.read_bytes() == b"two"
    assert write_whole(path, b"four", backup="backup") == tmp_path / "X.backup2.csv"
    assert path.read_bytes() == b"four" and len(list(tmp_path.iterdir())) == 3


def test_a_file_of_the_user_with_the_ending_part_stays(tmp_path):
    (tmp_path / "X.csv.part").write_bytes(b"mine")
    write_whole(tmp_path / "X.csv", b"new")
    assert (tmp_path / "X.csv.part").read_bytes() == b"mine"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "X.csv"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_names_are_numbered_from_two_on(tmp_path):
    path = tmp_path / "work.zip"
    assert free_name(path) == path
    for name in ("work.zip", "work-2.zip", "work.new.zip"):
        (tmp_path / name).touch()
    assert free_name(path).name == "work-3.zip"
    assert free_name(path, "new").name == "work.new2.zip"
    assert free_name(path, "new", lambda path: False).name == "work.new.zip"
