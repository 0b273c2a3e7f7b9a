"""A JupyterLab on loopback, and a headless Chromium that reads notebooks as a learner would."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

# So that nothing looks outside: the machines that run this have no network to speak of.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-dev-shm-usage",
]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
PATIENCE = 600  # seconds for anything to happen: a net for what hangs, not a judge of what is slow


def find_chromium():
    """The path of a Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def sign(notebooks, data_folder):
    """Make a server with this data folder trust notebooks, as `ukrlearn lab` does."""
    data_folder.mkdir(parents=True)
    notary = NotebookNotary(data_dir=str(data_folder))
    for path in notebooks:
        notary.sign(nbformat.read(path, as_version=4))
    notary.store.close()


@contextlib.contextmanager
def jupyter_lab(root):
    """Yields (address, token) of a server with its own settings; it dies with the block.

    It trusts the notebooks that are in the folder now, and none that comes later.
    """
    home = Path(tempfile.mkdtemp(prefix="ukrlearn-lab-"))
    sign(Path(root).rglob("*.ipynb"), home / "data")
    overrides = home / "config/labconfig/default_setting_overrides.json"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(json.dumps(SETTINGS))
    token, port, log = secrets.token_hex(16), free_port(), home / "lab.log"
    environment = dict(
        os.environ,
        JUPYTER_CONFIG_DIR=str(home / "config"),
        JUPYTER_DATA_DIR=str(home / "data"),
        JUPYTER_RUNTIME_DIR=str(home / "run"),
        IPYTHONDIR=str(home / "ipython"),
        UKRLEARN_WORK=".",  # as for a learner: beside the notebook
        JUPYTER_TOKEN=token,
    )
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with open(log, "wb") as output:
        server = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(server, f"{address}/api/status", token, log)
        yield address, token
    finally:
        server.send_signal(signal.SIGTERM)  # it shuts its kernels down
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
        shutil.rmtree(home, ignore_errors=True)


def _wait_for(server, address, token, log):
    request = urllib.request.Request(address, headers={"Authorization": f"token {token}"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + PATIENCE
    while True:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab stopped: {log.read_text()[-2000:]}")
        try:
            with opener.open(request, timeout=2):
                return
        except OSError:
            if time.monotonic() > end:
                raise TimeoutError(f"no JupyterLab: {log.read_text()[-2000:]}") from None
            time.sleep(0.1)


@contextlib.contextmanager
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), headless=True, args=FLAGS
        )
        browser.new_page, browser.new_context = map(
            _patient, (browser.new_page, browser.new_context)
        )
        try:
            yield browser
        finally:
            browser.close()


def _patient(make):
    def made(**options):
        page_or_context = make(**options)
        page_or_context.set_default_timeout(1000 * PATIENCE)
        return page_or_context

    return made


# JavaScript, for what JupyterLab exposes as window.jupyterapp

_SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"
_CELLS = "window.jupyterapp.shell.currentWidget.content"
_OPEN = "async path => { await window.jupyterapp.commands.execute('docmanager:open', { path }) }"
_READY = f"""path => {{
    const panel = window.jupyterapp && window.jupyterapp.shell.currentWidget;
    return panel && panel.context && panel.context.path === path && panel.context.isReady
        && {_SESSION}.session && {_SESSION}.session.kernel
        && {_SESSION}.session.kernel.status === 'idle' }}"""
_CLOSE = f"""async () => {{
    const panel = window.jupyterapp.shell.currentWidget;
    await {_SESSION}.shutdown();
    panel.dispose() }}"""
_REPLACE = f"""source => {{
    const cells = {_CELLS}.model.sharedModel;
    cells.deleteCellRange(1, cells.cells.length);
    {_CELLS}.activeCellIndex = 0;
    {_CELLS}.widgets[0].model.sharedModel.setSource(source) }}"""
_APPEND = f"""source => {{
    const cells = {_CELLS}.model.sharedModel;
    cells.insertCell(cells.cells.length, {{ cell_type: 'code', source }});
    {_CELLS}.activeCellIndex = cells.cells.length - 1 }}"""
_IDLE = f"() => {_SESSION}.session.kernel.status === 'idle'"
# JupyterLab scrolls to the cell that is active then; if that is not in the page yet, as soon as it
# is, which may be between the two halves of a click.
_SCROLLED = f"""() => document.querySelector(
    `[data-windowed-list-index="${{{_CELLS}.activeCellIndex}}"]`)"""
_WATCH = f"""() => {{
    window.kernelErrors = [];
    {_SESSION}.iopubMessage.connect((_, message) => {{
        if (message.header.msg_type === 'error')
            window.kernelErrors.push(message.content.ename + ': ' + message.content.evalue);
    }}) }}"""
_PICTURES = """() => [...document.querySelectorAll('.jp-OutputArea-output img')].map(
    image => image.complete && image.naturalWidth ? image.alt + image.src : null)"""
_SETTLED = f"""async ([quiet, timeout]) => {{
    const pictures = {_PICTURES};
    const end = performance.now() + timeout;
    let last = JSON.stringify(pictures()), since = performance.now();
    for (;;) {{
        await new Promise(resolve => setTimeout(resolve, 50));
        const shown = pictures();
        const now = JSON.stringify(shown);
        const idle = {_SESSION}.session.kernel.status === 'idle';
        if (now !== last || !idle || shown.includes(null))
            {{ last = now; since = performance.now(); }}
        if (performance.now() - since >= quiet) return JSON.parse(now);
        if (performance.now() > end) throw new Error('the pictures do not settle');
    }} }}"""
_THEME = """async theme => {
    await window.jupyterapp.commands.execute('apputils:change-theme', { theme }) }"""
_THEMED = """isLight => document.body.dataset.jpThemeLight === isLight
    && !document.getElementById('jupyterlab-splash')"""
_SEEN_ERRORS = """outputs => outputs.map(output => output.textContent.slice(0, 500))"""


class Reader:
    """One page of JupyterLab, which shows one notebook at a time."""

    def __init__(self, page, address, token):
        self.page, self._address, self._token = page, address, token
        self.name, self._page_errors = None, []
        page.on("pageerror", lambda error: self._page_errors.append(str(error)))

    def open(self, name, width=1000, height=1100):
        """Opens a notebook in place of the one before, whose kernel stops."""
        self.page.set_viewport_size({"width": width, "height": height})
        if self.name is None:
            self.page.goto(f"{self._address}/doc/tree/{name}?token={self._token}")
        else:
            self.page.evaluate(_CLOSE)
            self.page.evaluate(_OPEN, name)
        self.page.wait_for_function(_READY, arg=name)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        self.page.evaluate(_WATCH)
        self.name = name
        return self

    def close(self, name):
        """Closes a notebook that came to the front beside the page's own, once its kernel is there.

        JupyterLab throws "Disposed" if a panel goes while its kernel starts.
        """
        self.page.wait_for_function(_READY, arg=name)
        self.page.evaluate(_CLOSE)

    def leave(self):
        """Leaves JupyterLab; the next notebook is opened in a page that is loaded anew."""
        self.page.goto("about:blank")
        self.name = None

    def run_all(self):
        return self._run("notebook:run-all-cells")

    def run_only(self, source):
        """Replaces all cells by one, and runs it."""
        self.page.evaluate(_REPLACE, source)
        return self._run("notebook:run-cell")

    def run_at_the_end(self, source):
        """Appends a cell and runs it."""
        self.page.evaluate(_APPEND, source)
        return self._run("notebook:run-cell")

    def _run(self, command):
        self.page.evaluate(
            "command => window.jupyterapp.commands.execute(command)", command
        )  # until the last cell is done
        self.page.wait_for_function(_IDLE)
        self.page.wait_for_function(_SCROLLED)
        return self

    def dress(self, theme):
        """Changes the theme, to Dark or Light."""
        self.page.evaluate(_THEME, f"JupyterLab {theme}")
        self.page.wait_for_function(_THEMED, arg="true" if theme == "Light" else "false")
        self.page.wait_for_timeout(300)  # JupyterLab throws if the next theme comes at once
        return self

    def settled(self, quiet=300):
        """The pictures, once the kernel is idle and nothing has changed for `quiet` ms."""
        return self.page.evaluate(_SETTLED, [quiet, 1000 * PATIENCE])

    def press(self, control, key):
        """Presses a key on a settled page and waits for other pictures: (before, after)."""
        before = self.page.evaluate(_PICTURES)
        control.focus()
        self.page.keyboard.press(key)
        self.page.wait_for_function(
            f"""before => {{ const now = ({_PICTURES})();
                return now.length && now.some((src, k) => src && src !== before[k]) }}""",
            arg=before,
        )
        return before, self.settled()

    def errors(self):
        """What went wrong since the last call: shown, sent by the kernel, thrown by the page."""
        shown = self.page.eval_on_selector_all(
            "[data-mime-type='application/vnd.jupyter.stderr'], "
            "[data-mime-type='application/vnd.jupyter.error']",
            _SEEN_ERRORS,
        )
        thrown, self._page_errors[:] = self._page_errors[:], []
        return [*shown, *self.page.evaluate("() => window.kernelErrors.splice(0)"), *thrown]


def read(browser, server):
    """A page in a fresh profile."""
    return Reader(browser.new_context().new_page(), *server)


def write_notebook(path, code, outputs=()):
    """A notebook with one cell of code, and perhaps outputs of it."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [nbformat.v4.new_code_cell(code, outputs=list(outputs))]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
