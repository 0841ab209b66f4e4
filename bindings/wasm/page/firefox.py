"""Drives a headless Firefox with Marionette, its own protocol."""
import json
import os
import pathlib
import socket
import subprocess
import time


class Firefox:
    """A headless Firefox, which runs until `process` is killed. Without further packages, it has no way to list the
    problems on a page."""

    def __init__(self, firefox, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        profile = pathlib.Path(folder, "firefox")
        profile.mkdir()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {self.port});\n')
        self.number = 0
        self.process = subprocess.Popen(
            [firefox, "--headless", "--marionette", "--profile", profile], env=dict(os.environ, HOME=str(profile)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def connect(self):
        for _ in range(600):
            try:
                self.socket = socket.create_connection(("127.0.0.1", self.port))
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit("found no connection to Firefox after 60 s, expected one")
        self.input = self.socket.makefile("rb")
        self.read()  # the greeting
        self.send("WebDriver:NewSession", capabilities={})

    def read(self):
        """A message: its length, a colon and JSON."""
        length = b""
        while not length.endswith(b":"):
            piece = self.input.read(1)
            if not piece:
                raise SystemExit("found the end of Firefox, expected an answer")
            length += piece
        return json.loads(self.input.read(int(length[:-1])))

    def send(self, command, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.read()
        if error:
            raise SystemExit(f"{command}: {error}")
        return result

    def open(self, path):
        self.send("WebDriver:Navigate", url=pathlib.Path(path).as_uri())

    def run(self, script):
        """The value of a script, which does not see what the page's scripts define."""
        return self.send("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]

    def keep_saved(self):
        """From now on, what the page would save stays in the document."""
        self.send("WebDriver:ExecuteScript", args=[], script="""
            window.save = (name, content) => document.documentElement.setAttribute('data-saved', content);""")

    def choose(self, files):
        found = self.send("WebDriver:FindElement", using="css selector", value="#choose")["value"]
        self.send("WebDriver:ElementSendKeys", id=next(iter(found.values())), text="\n".join(map(str, files)))
