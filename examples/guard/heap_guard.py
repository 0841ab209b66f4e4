"""Opens a page in Chromium, and checks that nothing in it leaks. Needs the module `websocket`, which Debian has in the
package python3-websocket."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.request

import websocket

RULES = pathlib.Path(__file__).with_name("leaks.toml")


class Page:
    """A page that is controlled over the DevTools protocol."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=60)
        self.number = 0

    def send(self, method, **parameters):
        """The result of a command, and the parameters of the events that arrive before it."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        events = []
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message["error"]
                return message["result"], events
            events.append(message.get("params", {}))

    def evaluate(self, source):
        result, _ = self.send("Runtime.evaluate", expression=source, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open(self, url):
        self.send("Page.navigate", url=url)
        wait_for(lambda: self.evaluate(f"location.href === {json.dumps(url)} && document.readyState === 'complete'"))

    def take_snapshot(self, path):
        _, events = self.send("HeapProfiler.takeHeapSnapshot")
        path.write_text("".join(event.get("chunk", "") for event in events), encoding="utf-8")

    def assert_no_leak(self, step):
        """Runs the step three times, takes a snapshot after each, and fails if the heap does not meet the rules."""
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{number}.heapsnapshot") for number in (1, 2, 3)]
            for file in files:
                step()
                self.take_snapshot(file)
            done = subprocess.run([os.environ.get("HEAPCHECK", "heapcheck"), "assert", *files, "--rules", RULES],
                                  capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr


def wait_for(find, seconds=60):
    """Calls `find` until it returns something, and returns that."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = find()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError


def find_page(port_file):
    """The address at which the first page is controlled, once the browser has written its port to the file."""
    lines = port_file.read_text(encoding="utf-8").split() if port_file.is_file() else []
    if not lines:
        return None
    with urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json/list") as answer:
        return next((target["webSocketDebuggerUrl"] for target in json.load(answer) if target["type"] == "page"), None)


@contextlib.contextmanager
def open_page(url, browser="chromium"):
    """Starts a browser that shows a page, which is closed in the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--remote-allow-origins=*",
                   f"--user-data-dir={profile}", "about:blank"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                page = Page(wait_for(lambda: find_page(pathlib.Path(profile, "DevToolsActivePort"))))
                page.open(url)
                yield page
            finally:
                process.terminate()
