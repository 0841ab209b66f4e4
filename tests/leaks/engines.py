"""Runs the programs in their engines, and takes snapshots before and after the load."""
import contextlib
import functools
import http.client
import http.server
import shutil
import signal
import threading
import time

import protocol
import writers

PATIENCE = 60  # seconds


class Failure(Exception):
    """A program did not start or answer, or an engine wrote no snapshot."""


def wait_for(find, what):
    """Calls `find` until it returns something, and returns that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = find()
        if found:
            return found
        time.sleep(0.05)
    raise Failure(f"waited in vain for {what}")


class Requests:
    """Sends requests to a service over one connection, which the service closes if it idles during a snapshot."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        wait_for(self.is_open, "the service")

    def is_open(self):
        try:
            self.connection.connect()
        except OSError:
            return False
        return True

    def get(self, path):
        try:
            answer = self.ask(path)
        except ConnectionError:
            self.connection.close()  # the next request connects again
            answer = self.ask(path)
        answer.read()
        if answer.status != 200:
            raise Failure(f"{path}: status {answer.status}")

    def ask(self, path):
        self.connection.request("GET", path, headers={"User-Agent": "load/1"})
        return self.connection.getresponse()


def send_load(send, loads):
    """Sends each text of the loads with all its numbers in the place of {i}."""
    for text, first, last in loads:
        for number in range(first, last):
            send(text.replace("{i}", str(number)))


def is_complete(path):
    """Whether an engine has finished writing a snapshot: its last section is closed."""
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - 16))
        return file.read().rstrip().endswith(b"]}")


def take_by_signal(process, path):
    """Node.js writes a snapshot into its current folder when it gets the signal."""
    folder = path.parent
    process.send_signal(signal.SIGUSR2)
    written = wait_for(lambda: next((file for file in folder.glob("Heap.*.heapsnapshot") if is_complete(file)), None),
                       "a snapshot")
    written.rename(path)


def take_by_protocol(connection, path):
    _, text = protocol.dump(connection, "snapshot", lambda: None)
    path.write_text(text, encoding="utf-8")


def run_loads(case, send, take):
    """Takes a snapshot after each load. A pause lets answers be sent and short timers run."""
    for number, load in enumerate(case.loads, 1):
        send_load(send, load)
        time.sleep(0.3)
        if load:
            take(case.path_of(number))


def environment(case, port):
    return {"PORT": str(port), "PATH": "/usr/bin:/bin", "HOME": str(case.folder)}


def run_node(case, program):
    port = protocol.free_port()
    command = [program, "--heapsnapshot-signal=SIGUSR2", case.main]
    with writers.running(command, case.folder / "output.txt", cwd=case.folder, env=environment(case, port)) as process:
        requests = Requests(port)
        run_loads(case, requests.get, lambda path: take_by_signal(process, path))


def run_deno(case, program):
    port, inspector = protocol.free_port(), protocol.free_port()
    command = [program, "run", "-A", f"--inspect=127.0.0.1:{inspector}", case.main]
    with writers.running(command, case.folder / "output.txt", cwd=case.folder, env=environment(case, port)) as process:
        requests = Requests(port)
        connection = protocol.connect(process, inspector, "node")
        run_loads(case, requests.get, lambda path: take_by_protocol(connection, path))


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@contextlib.contextmanager
def serving(folder):
    """Serves the files of a page, because Chromium loads no modules from files. Returns the address."""
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def run_page(case, program):
    """The actions are expressions that are evaluated in the page."""
    port, profile = protocol.free_port(), case.folder / "profile"

    def evaluate(source):
        _, problem = connection.evaluate(source)
        if problem:
            raise Failure(f"{source}: {problem}")

    with serving(case.sources) as address, writers.running(
            [program, *writers.page_options(port, profile, address)], case.folder / "output.txt") as process:
        connection = protocol.connect(process, port, "page")
        wait_for(lambda: connection.evaluate(f"location.href === '{address}' && document.readyState === 'complete'")[0],
                 "the page")
        run_loads(case, evaluate, lambda path: take_by_protocol(connection, path))
    shutil.rmtree(profile, ignore_errors=True)


def run_raku(case, program):
    """Takes a snapshot at each collection, all of which are in one file."""
    path = case.path_of(2)
    writers.run([program, f"--profile={path}", case.main], case.folder)
    if not path.is_file():
        raise Failure("wrote no dump")


RUN = {"Node.js": run_node, "Deno": run_deno, "Chrome": run_page, "Chromium": run_page, "Rakudo": run_raku}
# The programs of engines that must be installed.
INSTALLED = {"Chromium": "chromium", "Rakudo": "raku"}


def find_program(case, folder):
    """The path of the program that runs the case; nothing if it is not installed, and cannot be from npm."""
    if case.writer:
        return writers.install(case.writer, folder) if shutil.which("npm") else None
    return shutil.which(INSTALLED[case.engine])


def make_dumps(case, program):
    shutil.rmtree(case.folder, ignore_errors=True)
    case.folder.mkdir(parents=True)
    RUN[case.engine.split(" ")[0]](case, program)
