"""The command line: `ukrlearn lab [FOLDER]`, `ukrlearn doctor`, `ukrlearn concepts FOLDER`."""

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from ukrlearn import __version__
from ukrlearn.course import copying
from ukrlearn.course.writing import user_path

FAILED, MISUSED = 1, 2  # exit codes, as argparse and the shell use them


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a folder's name may not be a text in its encoding
            stream.reconfigure(errors="backslashreplace")
    own, for_jupyterlab = _split_at_double_dash(arguments)
    parser = _parser()
    options = parser.parse_args(own)
    if options.command is None:
        parser.print_help()
        return MISUSED
    if options.command == "doctor":
        return doctor(options.teach)
    if options.command == "concepts":
        from ukrlearn.checks import _concepts

        lines = list(_concepts.analysis(Path(options.folder)))
        print(*lines or [f"{options.folder} holds no file of export_concept_test()."], sep="\n")
        return 0 if lines else FAILED
    if options.exam and not options.instructor:
        parser.error("--exam needs --instructor: it changes what is written for nbgrader")
    if options.instructor:
        return instructor(options.folder or "ukrlearn-grading", options.exam)
    folder = options.folder or "ukrlearn-course"
    return lab(folder, options.copy_only, options.no_browser, for_jupyterlab)


def _split_at_double_dash(arguments):
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ukrlearn", description="Learn nonlinear dimensionality reduction in JupyterLab."
    )
    parser.add_argument("--version", action="version", version=f"ukrlearn {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    lab = commands.add_parser(
        "lab",
        help="copy the course into a folder and open it in JupyterLab",
        description="Copy the course into FOLDER and open it in JupyterLab. If you run the command "
        "again, it updates the lessons that you have not changed, and never touches those that you "
        "have.",
        epilog="Options after -- are passed to JupyterLab: ukrlearn lab -- --port=9000",
    )
    lab.add_argument("folder", nargs="?", metavar="FOLDER", help="by default ukrlearn-course")
    lab.add_argument(
        "--instructor",
        action="store_true",
        help="write the exercises with solutions, points and hidden tests for nbgrader instead; "
        "needs a checkout",
    )
    lab.add_argument(
        "--exam",
        action="store_true",
        help="with --instructor: no hints or solutions; check() only shows a wrong example",
    )
    lab.add_argument("--copy-only", action="store_true", help="copy without starting JupyterLab")
    lab.add_argument("--no-browser", action="store_true", help="start JupyterLab without a browser")
    doctor = commands.add_parser("doctor", help="show versions, threads, and what is missing")
    doctor.add_argument("--teach", action="store_true", help="also what an instructor needs")
    concepts = commands.add_parser("concepts", help="what a class has said in the concept tests")
    concepts.add_argument("folder", metavar="FOLDER", help="with files of export_concept_test()")
    return parser


def doctor(teach=False) -> int:
    from ukrlearn.course.doctor import report

    lines, healthy = report(teach)
    print("\n".join(lines))
    return 0 if healthy else FAILED


def lab(name: str, copy_only: bool, no_browser: bool, for_jupyterlab: list[str]) -> int:
    """Copy the course, report what was done with each file, and open the first lesson."""
    try:
        folder = user_path(name)
        source = copying.course_folder()
        report = copying.copy_course(source, folder)
    except OSError as error:
        print(f"The course cannot be copied into {name}. {error}", file=sys.stderr)
        return FAILED
    print("\n".join(_in_words(report, folder)), flush=True)
    beside = [folder / name for name in report["beside"]]
    if problem := copying.trust([*copying.as_delivered(source, folder), *beside]):
        print(
            "The notebooks could not be marked as trusted, so JupyterLab will ask before it runs "
            f"a button. {problem}",
            file=sys.stderr,
        )
    if copy_only:
        return 0
    if importlib.util.find_spec("jupyterlab") is None:
        print(
            "JupyterLab is not installed in this Python. The course is in your folder. To open it:"
            '\n    pip install "ukrlearn[lab]"\n    ukrlearn lab',
            file=sys.stderr,
        )
        return FAILED
    return _start_jupyterlab(folder, ["--no-browser"] * no_browser + for_jupyterlab)


def instructor(name: str, exam: bool = False) -> int:
    """Write the course for nbgrader, and print the next step."""
    from ukrlearn.checks import _release

    try:
        folder = user_path(name)
        report = copying.deliver(_release.release(copying.course_folder(), exam), folder)
    except OSError as error:
        print(f"The release cannot be written into {name}. {error}", file=sys.stderr)
        return FAILED
    print("\n".join(_in_words(report, folder, "file")))
    print("Next, in that folder: nbgrader generate_assignment 01_nadaraya_watson --create")
    return 0


def _in_words(report: dict[str, list[str]], folder: Path, thing="notebook") -> list[str]:
    lines = [f"The course is in {folder.resolve()}."]
    for outcome, meaning in (
        ("copied", "new."),
        ("updated", "updated to this version."),
        ("retired", f"no longer part of the course: look in the folder {copying.RETIRED}."),
    ):
        if number := len(report[outcome]):
            lines.append(f"{number} {thing}{' is' if number == 1 else 's are'} {meaning}")
    lines += [f"{name}: kept as you changed it." for name in report["kept"]]
    lines += [
        f"{name}: the newer version of a notebook that you changed; yours is kept beside it."
        for name in report["beside"]
    ]
    lines += [
        f"{name}: no longer part of the course; kept as you changed it." for name in report["left"]
    ]
    return lines


def _start_jupyterlab(folder: Path, options: list[str]) -> int:
    # The matrices of the course are small, so a second thread costs more time than it saves.
    environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}
    # The pop-up about news would cover the first lesson: labconfig/page_config.json turns it off.
    settings = [str(Path(copying.__file__).parent), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, settings))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options = ["--allow-root", *options]  # in a container the user is root; else it refuses
    # A file as argument would make its folder the root, and hide the exercises beside it.
    lesson = f"--LabApp.default_url=/lab/tree/{copying.FIRST_LESSON}"
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir=.", lesson, *options]
    os.chdir(folder)
    if os.name == "nt":  # where the prompt would come back at once
        return subprocess.call(command, env=environment)
    # JupyterLab takes the place of this process and receives every signal itself, so that nothing
    # keeps running, and no port open, after whoever started this process has ended it.
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    sys.exit(main())
