"""Does binder/ give a working course? Checked here, without Docker, as far as that goes.

    python tools/check_binder.py [--form | --python VERSION]

1. Form: the scripts are executable and end as they must, Python is stated, requirements are pinned.
2. Detection: repo2docker, in an environment of its own, says what it would build of it.
3. For real: what git has is copied; an environment of the stated Python gets the frozen versions of
   repo2docker's base, then binder/requirements.txt; postBuild runs, start starts JupyterLab, the
   first lesson is opened in it and run, cell by cell, by a kernel of that server.

--form: the first only. What this can't show: the build of the image by Docker, and Binder itself.
--python: only says which program is a Python of that version.
"""

import argparse
import asyncio
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LESSON = "notebooks/00_start_here.ipynb"
SCRIPTS = ("postBuild", "start")
READ = {"requirements.txt", "runtime.txt", "environment.yml", "apt.txt", *SCRIPTS}
OURS = {"lab.lock"}  # what `make lab` installs; Binder does not look at it
REPO2DOCKER = "jupyter-repo2docker==2026.4.0"
# Of repo2docker's base, what the course meets; the versions are read from repo2docker if it is had.
BASE = {
    "jupyterlab": "4.4.9",
    "notebook": "7.4.7",
    "jupyter_server": "2.17.0",
    "ipykernel": "7.0.1",
    "ipywidgets": "8.1.7",
    "jupyterlab_widgets": "3.0.15",
    "nbconvert": "",
    "tornado": "6.5.2",
    "packaging": "25.0",
    "python-dateutil": "",
}
WITHIN = 600  # seconds for anything to happen: a net for what hangs

# ----------------------------------------------------------------------------------------- 1. form


def form_problems(binder):
    """What is wrong with the files of a binder folder, in sentences."""
    present = {path.name for path in binder.iterdir()}
    for name in sorted(present - READ - OURS):
        yield f"binder/{name} is not read by Binder (known: {', '.join(sorted(READ))})"
    for name in SCRIPTS:
        yield from _script_problems(binder / name)
    post_build = binder / "postBuild"
    if post_build.exists() and not any("jupyter trust" in line for line in _code(post_build)):
        yield "binder/postBuild must say jupyter trust, or start buttons ask before they run"
    start = binder / "start"
    if start.exists() and _code(start)[-1:] != ['exec "$@"']:
        yield 'binder/start must end with exec "$@", or JupyterLab never starts'
    if not {"runtime.txt", "environment.yml"} & present:
        yield "binder/ must state the Python: runtime.txt with python-3.X"
    elif "runtime.txt" in present and python_version(binder) is None:
        stated = (binder / "runtime.txt").read_text(encoding="utf-8").strip()
        yield f"binder/runtime.txt must be python-3.X; it is {stated!r}"
    if "requirements.txt" in present:
        yield from _requirement_problems(binder / "requirements.txt")


def _script_problems(path):
    name = f"binder/{path.name}"
    if not path.exists():
        yield f"{name} is missing"
        return
    content = path.read_bytes()
    if not path.stat().st_mode & 0o100:
        yield f"{name} must be executable: chmod +x {name}"
    if not content.startswith(b"#!"):
        yield f"{name} must begin with #!"
    if b"\r" in content:
        yield f"{name} must have Unix line ends"
    if "set -e" not in _code(path):
        yield f"{name} must say set -e, or its failures pass unnoticed"


def _code(path):
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _requirement_problems(path):
    text = path.read_text(encoding="utf-8")
    if re.search(r"https?://|file://|index-url|find-links|trusted-host", text):
        yield "binder/requirements.txt must not name an address"
    blocks = [block for block in re.split(r"\n(?=\S)", text) if block.strip()]
    for block in blocks:
        if "==" not in block or "--hash=sha256:" not in block:
            yield f"binder/requirements.txt must pin with hashes: {block.split()[0]} is not"
        elif re.match(r"(jupyter|notebook|ipykernel|ipywidgets)", block):
            yield f"binder/requirements.txt must leave {block.split('==')[0]} to Binder's base"


def python_version(binder):
    """The Python that runtime.txt states, without "python-", or None."""
    stated = (binder / "runtime.txt").read_text(encoding="utf-8").strip()
    found = re.fullmatch(r"python-(3\.\d+)", stated)
    return found and found[1]


# ------------------------------------------------------------------------------------ 2. detection

DETECT = """
import json, sys
from pathlib import Path
import repo2docker.buildpacks.conda as conda
from repo2docker.app import Repo2Docker
app = Repo2Docker()
for kind in app.buildpacks:
    pack = kind(app.base_image)
    if pack.detect():
        break
else:
    pack = app.default_buildpack(app.base_image)
pack.platform = "linux/amd64"
text = pack.render()
frozen = Path(conda.__file__).parent / f"environment.py-{pack.python_version}-linux-64.lock"
print(json.dumps({
    "buildpack": type(pack).__name__, "folder": str(pack.binder_dir), "python": pack.python_version,
    "postBuild": pack.get_post_build_scripts(), "start": pack.get_start_script(),
    "installs": [script for _, script in pack.get_preassemble_scripts()],
    "lines": len(text.splitlines()), "base": frozen.read_text(encoding="utf-8").splitlines()}))
"""


def detected(work, folder):
    """What repo2docker says of a repository; None, with the reason, if it can't be had."""
    environment = folder / "repo2docker"
    try:
        run(sys.executable, "-m", "venv", environment)
        run(environment / "bin/pip", "install", "-q", REPO2DOCKER)
    except Failed as problem:
        return None, f"repo2docker could not be installed: {problem}"
    try:
        answer = run(environment / "bin/python", "-c", DETECT, cwd=work)
    except Failed as problem:
        return None, f"repo2docker refuses binder/: {problem}"
    return json.loads(answer.splitlines()[-1]), None


def detection_problems(found):
    if found["buildpack"] != "PythonBuildPack":
        yield f"repo2docker must take it for Python; it takes it for {found['buildpack']}"
    if found["folder"] != "binder":
        yield f"repo2docker must read binder/; it reads {found['folder']}"
    if found["python"] != python_version(ROOT / "binder"):
        yield f"repo2docker must take Python from runtime.txt; it takes {found['python']}"
    if not any("binder/requirements.txt" in script for script in found["installs"]):
        yield "repo2docker does not install binder/requirements.txt"
    scripts = found["postBuild"], (found["start"] or "").rpartition("/")[2]
    if scripts != (["binder/postBuild"], "start"):
        yield f"repo2docker must run postBuild and start; it runs {scripts}"


def base_versions(lock):
    """The frozen versions of what the course meets, from repo2docker's lock or as known."""
    frozen = dict(re.findall(r"/([a-z][\w-]*?)-(\d[\w.]*?)-[^-/]+(?:#|$)", "\n".join(lock)))
    wanted = {name: frozen.get(name) or known for name, known in BASE.items()}
    return [f"{name}=={version}" if version else name for name, version in wanted.items()]


# ------------------------------------------------------------------------------------- 3. for real


class Failed(Exception):
    """A command that failed, with the end of what it said."""


def run(*command, cwd=None, env=None):
    """The output of a command."""
    env = dict(env or os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-600:]
        raise Failed(f"{command[0]} failed with status {done.returncode}: {said or 'no word'}")
    return done.stdout


def copy_of_repository(folder):
    """What git has, or would add: what Binder gets."""
    listed = run(*"git ls-files --cached --others --exclude-standard -z".split(), cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def interpreter(version):
    """A Python of this version. pyenv's shims answer for versions that they can't start."""
    if f"{sys.version_info[0]}.{sys.version_info[1]}" == version:
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [shutil.which(f"python{version}")]
    found += sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    for candidate in filter(None, reversed(found)):
        if subprocess.run([candidate, "-c", ""], capture_output=True).returncode == 0:
            return str(candidate)
    raise Failed(f"there is no Python {version} here; it can't be checked")


def clean_environment(environment, home):
    """Variables as in a fresh container: none of Jupyter, Python or BLAS."""
    dropped = re.compile(r"JUPYTER|IPYTHON|PYTHON|VIRTUAL_ENV|CONDA|OMP_|OPENBLAS|MALLOC_|MPL")
    kept = {key: value for key, value in os.environ.items() if not dropped.match(key)}
    return kept | {
        "HOME": str(home),
        "VIRTUAL_ENV": str(environment),
        "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }


def build(work, folder, base, say):
    """The environment that Binder would build, and its variables."""
    environment, home = folder / "environment", folder / "home"
    home.mkdir()
    run(interpreter(python_version(work / "binder")), "-m", "venv", environment)
    env = clean_environment(environment, home)
    # pip looks up the user's settings (a mirror, say) in the home that we hide from the rest.
    pip = {**env, "HOME": os.environ.get("HOME", str(home))}
    python = environment / "bin/python"
    run(python, "-m", "pip", "install", "-q", *base, env=pip)
    say(f"base of repo2docker: {', '.join(base)}")
    run(
        *(python, "-m", "pip", "install", "-q", "--no-cache-dir"),
        *("-r", "binder/requirements.txt"),
        cwd=work,
        env=pip,
    )
    say("binder/requirements.txt installed")
    run("./binder/postBuild", cwd=work, env=env)
    say("postBuild done")
    run(python, "-m", "pip", "check", env=env)
    needs = run(
        python,
        "-c",
        "from importlib.metadata import requires, version as v\n"
        "from packaging.requirements import Requirement as R\n"
        "for r in map(R, requires('ukrlearn')):\n"
        "    if not r.marker or r.marker.evaluate({'extra': 'lab'}):\n"
        "        assert v(r.name) in r.specifier, f'{r}: {v(r.name)}'\n"
        "        print(r.name, v(r.name), sep=' ', end='; ')",
        cwd=folder,
        env=env,
    )
    say(f"requirements of ukrlearn[lab] met: {needs.rstrip('; ')}")
    return env


class Server:
    """JupyterLab, started by binder/start as Binder does it."""

    def __init__(self, work, env):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.token, self.base = secrets.token_hex(16), f"127.0.0.1:{port}"
        self.log = tempfile.TemporaryFile("w+")
        command = ["./binder/start", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"]
        command += [f"--port={port}", "--ServerApp.port_retries=0"]
        command += [f"--IdentityProvider.token={self.token}"]
        command += ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
        self.process = subprocess.Popen(
            command, cwd=work, env=env, stdout=self.log, stderr=subprocess.STDOUT
        )

    def __enter__(self):
        end = time.monotonic() + WITHIN
        while True:
            try:
                self.ask("api/status")
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    said = self.said()
                    self.__exit__()
                    raise Failed(f"JupyterLab did not start: {said}") from None
                time.sleep(0.2)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def said(self):
        self.log.seek(0)
        return self.log.read()[-600:]

    def ask(self, path, method="GET", body=None):
        """The answer of the server, as bytes."""
        request = urllib.request.Request(
            f"http://{self.base}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=WITHIN) as answer:
            return answer.read()


def run_lesson(server, path):
    """Runs a notebook in a kernel of the server; how many cells of code ran."""
    notebook = json.loads(server.ask(f"api/contents/{path}"))["content"]
    model = {"path": path, "name": Path(path).name, "type": "notebook"}
    session = json.loads(
        server.ask("api/sessions", "POST", {**model, "kernel": {"name": "python3"}})
    )
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cells.append(
        "import os, pathlib, ukrlearn\n"
        "assert os.environ['OMP_NUM_THREADS'] == '1', 'start did not set its variables'\n"
        "assert 'MALLOC_TRIM_THRESHOLD_' in os.environ\n"
        "assert 'site-packages' in ukrlearn.__file__, ukrlearn.__file__"
    )
    try:
        asyncio.run(_run_cells(server, session["kernel"]["id"], cells))
    finally:
        server.ask(f"api/sessions/{session['id']}", "DELETE")
    return len(cells) - 1


async def _run_cells(server, kernel, cells):
    from tornado.httpclient import HTTPRequest
    from tornado.websocket import websocket_connect

    url = f"ws://{server.base}/api/kernels/{kernel}/channels?token={server.token}"
    asked = HTTPRequest(url, connect_timeout=WITHIN, request_timeout=WITHIN)
    channel = await websocket_connect(asked, max_message_size=2**28)
    try:
        for number, code in enumerate(cells, start=1):
            await asyncio.wait_for(_run_cell(channel, number, code), WITHIN)
    except TimeoutError:
        raise Failed(f"cell {number} took more than {WITHIN} s") from None
    finally:
        channel.close()
        await asyncio.wait_for(_closed(channel), WITHIN)


async def _closed(channel):
    """Until the server has answered the closing: else the socket stays open."""
    while await channel.read_message() is not None:
        pass


async def _run_cell(channel, number, code):
    """Sends a cell and waits until the kernel has answered and is idle again."""
    name = uuid.uuid4().hex
    header = {"msg_id": name, "msg_type": "execute_request", "username": "", "session": name}
    content = {"code": code, "silent": False, "store_history": True, "stop_on_error": True}
    request = {"header": {**header, "version": "5.3", "date": ""}, "parent_header": {}}
    request |= {"metadata": {}, "content": content, "channel": "shell", "buffers": []}
    await channel.write_message(json.dumps(request))
    replied = idle = False
    while not (replied and idle):
        received = await channel.read_message()
        if received is None:
            raise Failed(f"the kernel broke off in cell {number}")
        if isinstance(received, bytes):
            continue  # pictures of widgets
        message = json.loads(received)
        if message["parent_header"].get("msg_id") != name:
            continue
        kind, said = message["header"]["msg_type"], message["content"]
        if kind == "error":
            raise Failed(f"cell {number} fails: {said['ename']}: {said['evalue']}")
        replied |= kind == "execute_reply"
        idle |= kind == "status" and said["execution_state"] == "idle"


def check_for_real(say):
    """Detection, build, start, one lesson; what is wrong, in sentences."""
    with tempfile.TemporaryDirectory(prefix="binder-check-") as name:
        folder = Path(name)
        work = copy_of_repository(folder / "repository")
        found, problem = detected(work, folder)
        if problem and "refuses" in problem:
            return [problem]
        if found is None:
            say(f"NOT CHECKED by repo2docker itself: {problem}")
        else:
            problems = list(detection_problems(found))
            if problems:
                return problems
            say(
                f"{REPO2DOCKER} takes it for {found['buildpack']} of {found['folder']}/ with "
                f"Python {found['python']}; its Dockerfile has {found['lines']} lines"
            )
        try:
            env = build(work, folder, base_versions(found["base"] if found else []), say)
            with Server(work, env) as server:
                say("start has started JupyterLab")
                server.ask(f"lab/tree/{LESSON}")
                cells = run_lesson(server, LESSON)
                say(f"{LESSON} opened in JupyterLab; its {cells} cells ran in a kernel of it")
        except (Failed, OSError) as problem:
            return [str(problem)]
    return []


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--form", action="store_true", help="look at the files only")
    parser.add_argument("--python", metavar="VERSION", help="say which program is this Python")
    options = parser.parse_args(arguments)
    if options.python:
        print(interpreter(options.python))
        return 0
    begun = time.monotonic()

    def say(text):
        print(f"[{time.monotonic() - begun:3.0f} s] {text}", flush=True)

    problems = list(form_problems(ROOT / "binder"))
    if not problems:
        say("binder/ is well formed")
        if not options.form:
            problems = check_for_real(say)
    if problems:
        print("\n".join(problems))
        return 1
    if not options.form:
        print("binder/ gives a working course.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
