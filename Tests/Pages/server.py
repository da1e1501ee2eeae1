# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A running `tideline serve --demo`."""

import os
import re
import sqlite3
import subprocess

BINARY = os.environ.get("TIDELINE_BINARY", "tideline")


class Server:
    """The demo on loopback, ended by its own process id; it can be stopped and started again on its port."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.options = options
        self.binary = BINARY
        self.port = 0
        self.is_running = False
        self.was_stopped = False
        self.start()

    def start(self):
        """Starts it, on the port that it had before."""
        self.log = open(self.folder / "server.log", "a+b")
        self.process = subprocess.Popen(
            [self.binary, "serve", "--demo", "--data", str(self.folder / "data"), "--host", "127.0.0.1"]
            + ["--port", str(self.port), *self.options],
            stdout=subprocess.PIPE,
            stderr=self.log,
            # The tool keeps its own files below the home folder.
            env={**os.environ, "HOME": str(self.folder)},
        )
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode())
            found = re.search(r"http://127\.0\.0\.1:(\d+)", lines[-1])
            if found:
                self.port = int(found.group(1))
                self.is_running = True
                return
        self.log.seek(0)
        raise RuntimeError("the server ended: " + "".join(lines) + self.log.read().decode())

    @property
    def address(self):
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def app(self):
        """Where the app is."""
        return self.address + "/apps/sixbookmarks/"

    def run(self, *arguments, text=None):
        """Runs the tool as a device in a terminal does; returns what it writes."""
        run = subprocess.run(
            [BINARY, *arguments],
            input=text,
            env={**os.environ, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    def sql(self, statement, *values, domain="sixbookmarks"):
        """Writes to the database past the service, as another program may."""
        connection = sqlite3.connect(self.folder / "data" / "demo" / f"{domain}.sqlite", timeout=20)
        with connection:
            connection.execute(statement, values)
        connection.close()

    def stop(self):
        """Ends it and waits for it."""
        if not self.is_running:
            return
        self.is_running = False
        self.was_stopped = True
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
