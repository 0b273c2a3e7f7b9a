"""The command line from an installed wheel, outside the checkout, as a learner has it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

import ukrlearn
from ukrlearn.__main__ import main
from ukrlearn.course import copying, doctor
from ukrlearn.course.writing import FileProblem

ROOT = Path(__file__).resolve().parent.parent
LESSON = copying.FIRST_LESSON


def notebook(text):
    """The bytes of a notebook with one cell."""
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": [text]}
    return json.dumps(
        {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


@pytest.fixture(autouse=True)
def signatures(tmp_path_factory, monkeypatch):
    """The data folder of Jupyter, which is the user's own everywhere else."""
    folder = tmp_path_factory.mktemp("jupyter") / "data"
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def source(tmp_path):
    """A course of two lessons and an exercise."""
    folder = tmp_path / "source"
    for name in (LESSON, "notebooks/01_next.ipynb", "exercises/e1.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(notebook(f"{name}, first version"))
    return folder


# ---- copying the course -------------------------------------------------------------------------


def test_the_first_copy_brings_everything_and_the_second_nothing(source, tmp_path):
    folder = tmp_path / "mine"
    assert len(copying.copy_course(source, folder)["copied"]) == 3
    assert (folder / LESSON).read_bytes() == (source / LESSON).read_bytes()
    assert not any(copying.copy_course(source, folder).values())


def test_a_changed_lesson_is_kept_and_the_newer_one_put_beside_it_once(source, tmp_path):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (folder / LESSON).write_bytes(notebook("my own words"))
    assert copying.copy_course(source, folder)["kept"] == [LESSON]

    (source / LESSON).write_bytes(notebook("second version"))
    beside = LESSON.replace(".ipynb", ".new.ipynb")
    assert copying.copy_course(source, folder)["beside"] == [beside]
    assert (folder / LESSON).read_bytes() == notebook("my own words")
    assert (folder / beside).read_bytes() == notebook("second version")
    assert copying.copy_course(source, folder)["kept"] == [LESSON]

    (folder / beside).write_bytes(notebook("my words in the newer one"))
    (source / LESSON).write_bytes(notebook("third version"))
    assert copying.copy_course(source, folder)["beside"] == [beside.replace(".new.", ".new2.")]
    assert (folder / beside).read_bytes() == notebook("my words in the newer one")


def test_a_lesson_that_was_only_run_is_updated(source, tmp_path):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    run = json.loads((folder / LESSON).read_bytes())
    run["metadata"] = {"kernelspec": {"name": "python3"}}
    run["cells"][0]["metadata"] = {"scrolled": True}
    (folder / LESSON).write_text(json.dumps(run, indent=1))
    (source / LESSON).write_bytes(notebook("second version"))
    assert copying.copy_course(source, folder)["updated"] == [LESSON]
    assert (folder / LESSON).read_bytes() == notebook("second version")


NESTED = b'{"cells": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"
KEPT = [b"", b"no notebook", b"[1, 2]", b'{"cells": 3}', b"\xff\xfe", NESTED]


@pytest.mark.parametrize("content", KEPT, ids=len)
def test_whatever_a_user_made_of_a_lesson_is_kept(source, tmp_path, content):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (folder / LESSON).write_bytes(content)
    (source / LESSON).write_bytes(notebook("second version"))
    assert copying.copy_course(source, folder)["beside"]
    assert (folder / LESSON).read_bytes() == content


def test_a_file_that_was_there_before_the_course_is_kept(source, tmp_path):
    folder = tmp_path / "mine"
    (folder / LESSON).parent.mkdir(parents=True)
    (folder / LESSON).write_bytes(notebook("older than the course"))
    assert len(copying.copy_course(source, folder)["beside"]) == 1
    assert (folder / LESSON).read_bytes() == notebook("older than the course")


DAMAGED = [b"", b"{", b"[]", b"\xff\xff\xff", b"[" * 20_000, b'{"another": [1]}']


@pytest.mark.parametrize("manifest", DAMAGED, ids=len)
def test_with_a_damaged_manifest_nothing_is_overwritten(source, tmp_path, manifest):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (folder / LESSON).write_bytes(notebook("my own words"))
    (folder / copying.MANIFEST).write_bytes(manifest)
    copying.copy_course(source, folder)
    assert (folder / LESSON).read_bytes() == notebook("my own words")
    known = json.loads((folder / copying.MANIFEST).read_bytes())
    assert {*known} == {*copying.course_files(source)} and all(map(str.isalnum, known.values()))


def test_a_deleted_lesson_comes_back(source, tmp_path):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (folder / LESSON).unlink()
    assert copying.copy_course(source, folder)["copied"] == [LESSON]


@pytest.mark.parametrize("version", ["first", "second"])
def test_a_lesson_that_is_a_link_is_the_learners(source, tmp_path, version):
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (folder / LESSON).rename(tmp_path / "elsewhere.ipynb")
    (folder / LESSON).symlink_to(tmp_path / "elsewhere.ipynb")
    before = (tmp_path / "elsewhere.ipynb").read_bytes()
    (source / LESSON).write_bytes(notebook(f"{LESSON}, {version} version"))
    report = copying.copy_course(source, folder)
    beside = [LESSON.replace(".ipynb", ".new.ipynb")]
    assert report["beside"] == (beside if version == "second" else []) and not report["updated"]
    assert (folder / LESSON).is_symlink()
    assert (tmp_path / "elsewhere.ipynb").read_bytes() == before


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_what_is_no_file_in_the_place_of_a_lesson_does_not_stop_the_others(source, tmp_path, make):
    folder = tmp_path / "mine"
    (folder / LESSON).parent.mkdir(parents=True)
    make(folder / LESSON)
    report = copying.copy_course(source, folder)
    assert len(report["copied"]) == 2 and report["beside"] == [
        LESSON.replace(".ipynb", ".new.ipynb")
    ]
    assert not (folder / LESSON).is_file() and not (folder / "notebooks/nowhere").exists()
    assert copying.copy_course(source, folder)["kept"] == [LESSON]


def test_a_name_that_the_output_can_not_show_is_written_with_marks(tmp_path):
    name = "ü".encode()  # as bytes, also where this process knows ASCII only
    command = [sys.executable, "-m", "ukrlearn", "lab", "--copy-only", name]
    settings = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **settings}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and r"\xfc." in done.stdout
    assert (tmp_path / os.fsdecode(name)).is_dir()


@pytest.mark.parametrize("name", ["notebooks", "exercises", copying.RETIRED, ".ukrlearn"])
def test_nothing_is_written_through_a_link_to_another_folder(source, tmp_path, name):
    folder, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / name).symlink_to(elsewhere)
    with pytest.raises(FileProblem, match=f"{name} must be a folder; it is a link to .*elsewhere"):
        copying.copy_course(source, folder)
    assert not any(elsewhere.iterdir())


# ---- lessons that leave the course --------------------------------------------------------------

NEXT = "notebooks/01_next.ipynb"


@pytest.fixture
def shorter(source, tmp_path):
    """A folder with the course, of which one lesson then gets another number."""
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    (source / NEXT).rename(source / "notebooks/02_next.ipynb")
    return folder


def test_a_lesson_that_left_the_course_moves_aside_once(source, shorter):
    report = copying.copy_course(source, shorter)
    assert report["retired"] == [f"retired/{NEXT}"] and report["left"] == []
    assert report["copied"] == ["notebooks/02_next.ipynb"] and not (shorter / NEXT).exists()
    assert (shorter / "retired" / NEXT).read_bytes() == notebook(f"{NEXT}, first version")
    assert not any(copying.copy_course(source, shorter).values())


def test_a_changed_lesson_that_left_the_course_stays(source, shorter):
    (shorter / NEXT).write_bytes(notebook("my own words"))
    report = copying.copy_course(source, shorter)
    assert report["left"] == [NEXT] and report["retired"] == []
    assert (shorter / NEXT).read_bytes() == notebook("my own words")
    assert not any(copying.copy_course(source, shorter).values())


def test_a_deleted_lesson_that_left_the_course_is_not_spoken_of(source, shorter):
    (shorter / NEXT).unlink()
    report = copying.copy_course(source, shorter)
    assert report["left"] == report["retired"] == []


def test_a_link_in_the_place_of_a_lesson_that_left_stays(source, shorter):
    (shorter / NEXT).rename(shorter / "elsewhere.ipynb")
    (shorter / NEXT).symlink_to(shorter / "elsewhere.ipynb")
    assert copying.copy_course(source, shorter)["left"] == [NEXT]
    assert (shorter / NEXT).is_symlink()


def test_what_moved_aside_before_is_not_overwritten(source, shorter):
    (shorter / "retired/notebooks").mkdir(parents=True)
    (shorter / "retired" / NEXT).write_text("mine")
    report = copying.copy_course(source, shorter)
    assert report["retired"] == ["retired/notebooks/01_next-2.ipynb"]
    assert (shorter / "retired" / NEXT).read_text() == "mine"


@pytest.mark.parametrize("name", ["../outside.ipynb", "notebooks/../../outside.ipynb", "absolute"])
def test_a_manifest_that_names_files_outside_the_folder_moves_none(source, shorter, name):
    outside = shorter.parent / "outside.ipynb"
    outside.write_bytes(notebook("outside"))
    name = str(outside) if name == "absolute" else name
    known = json.loads((shorter / copying.MANIFEST).read_bytes())
    known[name] = copying.fingerprint(notebook("outside"))
    (shorter / copying.MANIFEST).write_text(json.dumps(known))
    assert copying.copy_course(source, shorter)["retired"] == [f"retired/{NEXT}"]
    assert outside.read_bytes() == notebook("outside")


def test_what_left_the_course_is_said_in_words(source, shorter, monkeypatch, capsys):
    monkeypatch.setattr(copying, "course_folder", lambda: source)
    (source / "exercises/e1.ipynb").unlink()
    (shorter / "exercises/e1.ipynb").write_bytes(notebook("my own words"))
    assert main(["lab", "--copy-only", str(shorter)]) == 0
    said = capsys.readouterr().out
    assert "1 notebook is no longer part of the course: look in the folder retired." in said
    assert "exercises/e1.ipynb: no longer part of the course; kept as you changed it." in said


# ---- trust --------------------------------------------------------------------------------------


def is_trusted(path):
    notary = NotebookNotary()
    try:
        return notary.check_signature(nbformat.read(path, as_version=4))
    finally:
        notary.store.close()


def test_what_was_delivered_is_trusted_and_what_was_changed_is_not(
    source, tmp_path, signatures, monkeypatch
):
    signatures.mkdir()  # nbformat 5.10 does not
    monkeypatch.setattr(copying, "course_folder", lambda: source)
    folder = tmp_path / "mine"
    copying.copy_course(source, folder)
    assert not is_trusted(folder / LESSON)
    (folder / NEXT).write_bytes(notebook("from a stranger"))
    (source / NEXT).write_bytes(notebook("second version"))
    assert main(["lab", "--copy-only", str(folder)]) == 0
    assert is_trusted(folder / LESSON) and is_trusted(folder / "exercises/e1.ipynb")
    assert not is_trusted(folder / NEXT) and is_trusted(folder / "notebooks/01_next.new.ipynb")


def test_without_a_place_for_signatures_the_course_is_copied_and_says_so(
    source, tmp_path, signatures, monkeypatch, capsys
):
    monkeypatch.setattr(copying, "course_folder", lambda: source)
    signatures.write_text("a file")
    assert main(["lab", "--copy-only", str(tmp_path / "mine")]) == 0
    assert (tmp_path / "mine" / LESSON).exists()
    assert "could not be marked as trusted" in capsys.readouterr().err


# ---- make lab -----------------------------------------------------------------------------------


def git(*arguments, cwd):
    options = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    return subprocess.run(
        ["git", *options, *arguments], cwd=cwd, check=True, capture_output=True, text=True
    ).stdout


def test_make_lab_opens_a_copy_that_git_does_not_see(tmp_path):
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("MAKE")}
    plan = subprocess.check_output(["make", "-n", "lab"], cwd=ROOT, env=environment, text=True)
    words = plan.strip().splitlines()[-1].split()
    assert words[1:4] == ["-m", "ukrlearn", "lab"] and "jupyterlab" not in words
    checkout, course = tmp_path / "checkout", words[4]
    for name, path in copying.course_files(ROOT).items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_bytes(path.read_bytes())
    (checkout / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    git("init", "--quiet", cwd=checkout)
    git("add", ".", cwd=checkout)
    git("commit", "--quiet", "-m", "a course", cwd=checkout)
    copying.copy_course(checkout, checkout / course)
    (checkout / course / LESSON).write_bytes(notebook("my own words"))
    (checkout / course / "exercises" / "ukrlearn-work.json").write_text("{}")
    assert git("status", "--porcelain", cwd=checkout) == ""
    copied = [path for path in (checkout / course).rglob("*") if path.is_file()]
    assert len(copied) > 60
    assert not [path for path in copied if path.suffix == ".py" or "solutions" in path.parts]


COPIER = """
import sys
from pathlib import Path
from ukrlearn.course import copying
report = copying.copy_course(Path(sys.argv[1]), Path(sys.argv[2]))
print(len(report["copied"]), len(report["beside"]) + len(report["kept"]) + len(report["updated"]))
"""


def test_two_copies_at_once_deliver_each_file_once(source, tmp_path):
    command = [sys.executable, "-c", COPIER, source, tmp_path / "mine"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate()[0].split() for process in running)
    assert said == [["0", "0"], ["3", "0"]]
    assert not any(copying.copy_course(source, tmp_path / "mine").values())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("file", "file must be a folder; it is a file"),
        ("file/below", "file must be a folder; it is a file"),
        ("x" * 300, "can't be made: File name too long"),
        ("~no-such-user/x", "~no-such-user is no user's home folder"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(tmp_path, monkeypatch, capsys, name, message):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    assert main(["lab", "--copy-only", name]) == 1
    said = capsys.readouterr().err
    assert message in said and "Errno" not in said and said.count("\n") == 1
    assert Path("file").read_text() == "mine" and os.listdir() == ["file"]


def test_a_tilde_is_the_home_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "--copy-only", "~/mine"]) == 0
    assert main(["lab", "--instructor", "~/grading"]) == 0
    assert (tmp_path / "mine" / LESSON).exists()
    assert (tmp_path / "grading" / "nbgrader_config.py").exists()
    assert sorted(os.listdir()) == ["grading", "mine"]


def test_a_course_without_notebooks_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="Reinstall"):
        copying.copy_course(tmp_path, tmp_path / "mine")


# ---- in this process ----------------------------------------------------------------------------


def test_without_a_command_the_help_is_shown(capsys):
    assert main([]) == 2
    assert "lab" in capsys.readouterr().out


def test_in_a_checkout_the_course_comes_from_the_checkout(tmp_path, capsys):
    assert copying.course_folder() == ROOT
    assert main(["lab", "--copy-only", str(tmp_path / "mine")]) == 0
    assert (tmp_path / "mine" / LESSON).read_bytes() == (ROOT / LESSON).read_bytes()
    assert "The course is in" in capsys.readouterr().out


def test_doctor_looks_at_what_an_instructor_needs(capsys, monkeypatch, tmp_path):
    scripts = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", scripts + os.pathsep + os.environ["PATH"])
    assert main(["doctor", "--teach"]) == 0
    grading = capsys.readouterr().out.split("Grading needs\n")[1]
    lines = grading.splitlines()
    assert lines[0].startswith("  ok      nbgrader ") and "alembic" in lines[1] and not lines[2]
    monkeypatch.setenv("PATH", str(tmp_path))  # nbgrader calls alembic by its name
    assert main(["doctor", "--teach"]) == 1
    out = capsys.readouterr().out
    assert f"alembic is not on the PATH: put {scripts} there" in out and "make teach" in out
    assert main(["doctor"]) == 0
    assert "nbgrader" not in capsys.readouterr().out


def test_doctor_is_content_here(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for word in ("numpy", "scikit-learn", "jupyterlab", "cores", "Threads", "Nothing is missing"):
        assert word in out


def test_doctor_tells_missing_old_and_broken_apart():
    assert doctor.examine("no-such-package", "1.0").problem == "missing"
    assert doctor.examine("numpy", "999").problem == "too old"
    assert "cannot be imported" in doctor.examine("numpy", "1", "no_such_module").problem
    assert doctor.examine("numpy", "1.0", "numpy").problem == ""


def test_doctor_reads_pyproject_where_the_package_is_not_installed(monkeypatch):
    installed = {extra: sorted(doctor.requirements(extra)) for extra in (None, "lab")}

    def not_installed(name):
        raise doctor.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "requires", not_installed)
    assert installed == {extra: sorted(doctor.requirements(extra)) for extra in (None, "lab")}


# ---- from a wheel -------------------------------------------------------------------------------


def hatch(source, target, kind):
    """Build a wheel or an sdist without looking anything up."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return hatch(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


def install(wheel, folder):
    """A new environment that holds the wheel and nothing else; its ukrlearn."""
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", wheel]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "bin/ukrlearn"


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory):
    """ukrlearn of an environment in which nothing else is installed."""
    return install(wheel, tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """ukrlearn of an environment with the wheel and what this one has (.pth files of a folder
    named in a .pth file are not followed, so this checkout stays invisible)."""
    command = install(wheel, tmp_path_factory.mktemp("installed"))
    (site,) = command.parent.parent.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return command


def call(command, *arguments, cwd):
    """Run outside the checkout."""
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    return subprocess.run(
        [command, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True
    )


def test_the_wheel_carries_the_course_and_nothing_strange(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    prefix = "ukrlearn/course/"
    inside = [name for name in names if name.startswith(prefix)]
    course = {name.removeprefix(prefix) for name in inside if not name.endswith(".py")}
    own = {"claims.csv", "labconfig/page_config.json"}
    assert course == {*own, *copying.course_files(ROOT)}
    assert all(name.startswith(("ukrlearn/", "ukrlearn-")) for name in names)


def test_a_wheel_made_from_the_sdist_is_the_same(wheel, tmp_path):
    with tarfile.open(hatch(ROOT, tmp_path / "sdist", "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = hatch(unpacked, tmp_path / "wheel", "wheel")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_version_from_the_wheel(installed, tmp_path):
    result = call(installed, "--version", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, f"ukrlearn {ukrlearn.__version__}\n")
    module = call(installed.with_name("python"), "-m", "ukrlearn", "--version", cwd=tmp_path)
    assert module.stdout == result.stdout


def test_lab_from_the_wheel_keeps_what_was_changed(installed, tmp_path):
    first = call(installed, "lab", "--copy-only", "mine", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    lesson = tmp_path / "mine" / LESSON
    assert lesson.read_bytes() == (ROOT / LESSON).read_bytes()
    lesson.write_bytes(notebook("my own words"))
    second = call(installed, "lab", "--copy-only", "mine", cwd=tmp_path)
    assert second.returncode == 0
    assert "kept as you changed it" in second.stdout
    assert lesson.read_bytes() == notebook("my own words")


def test_doctor_names_what_is_missing_and_what_to_do(bare, tmp_path):
    result = call(bare, "doctor", cwd=tmp_path)
    assert result.returncode == 1
    assert "numpy missing" in result.stdout
    assert 'pip install "ukrlearn[lab]"' in result.stdout
    assert result.stderr == ""


def test_lab_without_jupyterlab_copies_the_course_and_says_what_to_do(bare, tmp_path):
    result = call(bare, "lab", cwd=tmp_path)
    assert result.returncode == 1
    assert 'pip install "ukrlearn[lab]"' in result.stderr
    assert (tmp_path / "ukrlearn-course" / LESSON).exists()


def test_lab_starts_jupyterlab_in_the_copied_folder(installed, tmp_path):
    runtime = tmp_path / "runtime"
    arguments = ["lab", "mine", "--no-browser", "--", "--ServerApp.port=0"]
    environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(runtime)}
    process = subprocess.Popen(
        [installed, *arguments],
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        server = wait_for_server(process, runtime)
        assert Path(server["root_dir"]) == tmp_path / "mine"
        request = f"{server['url']}api/contents/{LESSON}?token={server['token']}&content=0"
        assert json.load(urllib.request.urlopen(request))["type"] == "notebook"
        # A signal to the one process that the user started ends all, and the port is free again.
        process.terminate()
        process.wait()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("localhost", server["port"]))
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)  # nobody is left
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_server(process, runtime):
    """What a Jupyter server writes about itself, once it listens."""
    while True:
        for file in runtime.glob("jpserver-*.json"):
            # The file may be half written, and the server does not listen before it has written it.
            with contextlib.suppress(ValueError, ConnectionRefusedError):
                server = json.loads(file.read_text())
                socket.create_connection(("localhost", server["port"])).close()
                return server
        assert process.poll() is None, "JupyterLab stopped before it listened"
        time.sleep(0.1)
