"""Drives a headless browser with the DevTools protocol."""
import json
import os
import pathlib
import subprocess


class Browser:
    """A headless Chromium, driven over two pipes. `problems` lists the problems on the page since it was opened,
    including requests for addresses that do not start with one of `allowed`."""

    def __init__(self, chromium, folder, allowed=("file://",)):
        self.allowed = allowed
        commands, answers = os.pipe(), os.pipe()

        def move():
            first, second = os.dup(commands[0]), os.dup(answers[1])
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile",
             "--window-size=1200,1000"],
            preexec_fn=move, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands[0])
        os.close(answers[1])
        self.out, self.inp = os.fdopen(commands[1], "wb", 0), os.fdopen(answers[0], "rb", 0)
        self.number, self.rest, self.session, self.problems, self.loaded = 0, b"", None, [], False

    def read(self):
        while b"\0" not in self.rest:
            piece = self.inp.read(65536)
            if not piece:
                raise SystemExit("found the end of the browser, expected an answer")
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"])
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"])
        elif method == "Runtime.consoleAPICalled" or method == "Page.javascriptDialogOpening":
            self.problems.append(params)
        elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(self.allowed):
            self.problems.append(params["request"])
        return message

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def start(self):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")

    def open(self, path):
        self.problems, self.loaded = [], False
        self.send("Page.navigate", url=path if "://" in str(path) else pathlib.Path(path).as_uri())
        while not self.loaded:
            self.read()

    def run(self, script):
        """The value of a script, or of the promise that it returns."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")
