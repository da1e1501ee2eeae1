# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A shop, published for everybody and served on a free port: every test runs on SQLite and on PostgreSQL."""

import os
import pathlib
import re
import subprocess

import pytest
from stores import Postgres, SQLite

BINARY = os.environ.get("TIDELINE_BINARY", "tideline")


class Server:
    """A running `tideline serve` over a shop of its own, ended by its own process id."""

    def __init__(self, folder, store):
        data = folder / "data"
        # The tool keeps its own files below the home folder.
        environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
        subprocess.run(
            [BINARY, "publish", store.make(folder), "--domain", "shop", "--data", str(data), "--open"],
            check=True,
            env=environment,
            timeout=60,
            capture_output=True,
        )
        self.log = open(folder / "server.log", "w+b")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", str(data), "--host", "127.0.0.1", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=environment,
        )
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode())
            address = re.search(r"http://127\.0\.0\.1:\d+", lines[-1])
            if address:
                self.address = address.group(0)
                return
        raise RuntimeError("the server ended: " + "".join(lines) + self.errors())

    def errors(self):
        """What the server wrote to its log."""
        self.log.seek(0)
        return self.log.read().decode()

    def stop(self):
        """Ends the server and waits for it."""
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


@pytest.fixture(scope="session", params=[SQLite.name, Postgres.name])
def store(request, tmp_path_factory):
    """Where the shops of a test are."""
    if request.param == SQLite.name:
        yield SQLite()
        return
    if Postgres.find() is None:
        pytest.skip("PostgreSQL is not installed here: script/bootstrap tests installs it")
    running = Postgres(pathlib.Path(tmp_path_factory.mktemp("postgres")))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def server(store, tmp_path_factory):
    """The server of all tests of a store."""
    running = Server(pathlib.Path(tmp_path_factory.mktemp("shop")), store)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def service(server):
    """The address of the service root, with a slash at the end."""
    return server.address + "/odata/shop/"
