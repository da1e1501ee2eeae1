# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A shop in a SQLite file, published for everybody and served on a free port for the length of the run."""

import os
import pathlib
import re
import sqlite3
import subprocess

import pytest

BINARY = os.environ.get("TIDELINE_BINARY", "tideline")

SHOP = """
CREATE TABLE Customers (
    Id INTEGER PRIMARY KEY AUTOINCREMENT, Name VARCHAR(80) NOT NULL, Phone VARCHAR(20), City VARCHAR(40));
CREATE TABLE Products (
    Id INTEGER PRIMARY KEY AUTOINCREMENT, ProductName VARCHAR(80) NOT NULL, UnitPrice DECIMAL(10, 2) NOT NULL,
    Stock SMALLINT, IsSold BOOLEAN NOT NULL DEFAULT 1);
CREATE TABLE Orders (
    Id INTEGER PRIMARY KEY AUTOINCREMENT,
    CustomerId INTEGER NOT NULL REFERENCES Customers (Id) ON DELETE CASCADE, Note VARCHAR(200));
INSERT INTO Customers (Name, Phone, City) VALUES
    ('Ada', '111', 'London'), ('Grace', '222', 'New York'), ('Alan', NULL, 'Wilmslow');
INSERT INTO Products (ProductName, UnitPrice, Stock, IsSold) VALUES
    ('Chai', 18, 39, 1), ('Chang', 19.5, 17, 1), ('Syrup', 10, 13, 1), ('Chef''s mix', 2.75, NULL, 0),
    ('Tofu', 23.25, 35, 1);
INSERT INTO Orders (CustomerId, Note) VALUES (1, 'first'), (1, 'second'), (2, 'third');
"""


class Server:
    """A running `tideline serve`, ended by its own process id."""

    def __init__(self, folder):
        self.folder = folder
        database = folder / "shop.db"
        connection = sqlite3.connect(database)
        connection.executescript(SHOP)
        connection.close()
        data = folder / "data"
        # The tool keeps its own files below the home folder.
        environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
        subprocess.run(
            [BINARY, "publish", f"sqlite:{database}", "--domain", "shop", "--data", str(data), "--open"],
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


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The server of the whole run."""
    running = Server(pathlib.Path(tmp_path_factory.mktemp("shop")))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def service(server):
    """The address of the service root, with a slash at the end."""
    return server.address + "/odata/shop/"
