# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Pushes the same rows, in batches of 500, to Tideline and to peers, one after the other, and prints how long each took.

    python push.py --tideline PROGRAM --rows 50000 --folder FOLDER

Once as inserts: Tideline takes 500 requests in one group of `$batch`, each answered for itself; and once as upserts:
Tideline takes a delta. One client for all of them: four connections, bodies that are made beforehand. Each batch is one
transaction, which is on the disk when it is answered. The result is a line of JSON, in seconds.
"""

import argparse
import email.utils
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import uuid

BATCH = 500
CONNECTIONS = 4
HERE = os.path.dirname(os.path.abspath(__file__))
# No INTEGER PRIMARY KEY: that is the database's to give, and OData has no upsert by it.
TABLE = """CREATE TABLE Items (Id INT PRIMARY KEY NOT NULL, Code VARCHAR(20) NOT NULL, Name VARCHAR(80) NOT NULL,
Quantity INT NOT NULL, Weight REAL NOT NULL, Note VARCHAR(80), Place VARCHAR(40) NOT NULL)"""


def row(number):
    return {
        "Id": number,
        "Code": f"C{number % 9973}",
        "Name": f"The item with the number {number}",
        "Quantity": number % 1000,
        "Weight": number % 5000 / 8,
        "Note": f"note number {number % 100} with some words so that it has a length of its own",
        "Place": f"shelf {number % 50}, aisle {number % 7}",
    }


def batches(rows):
    return [[row(number) for number in range(first, first + BATCH)] for first in range(1, rows, BATCH)]


def database(folder, name):
    path = os.path.join(folder, name + ".sqlite")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(TABLE)
    connection.commit()
    connection.close()
    return path


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """A server process, ended by its own process id."""

    def __init__(self, command, port=None, environment=None):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **(environment or {})}
        )
        self.port = port
        deadline = time.monotonic() + 60
        while self.port is None:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{command[0]} ended: {self.process.wait()}")
            found = re.search(r"Listening on http://127\.0\.0\.1:(\d+)", line)
            self.port = int(found.group(1)) if found else None
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    sys.exit(f"{command[0]} does not answer")
                time.sleep(0.05)
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def push(service, path, requests, accepted, method="POST"):
    """Sends all requests.

    Returns the seconds that they took.
    """
    waiting = list(reversed(requests))
    failures = []

    def work():
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
        while True:
            try:
                headers, body = waiting.pop()
            except IndexError:
                return
            connection.request(method, path, body, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            text = answer.read()
            if not accepted(answer.status, text):
                failures.append(f"{answer.status} {text[:300]!r}")
                return

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        sys.exit(f"{path}: {failures[0]}")
    return time.monotonic() - start


def check(path, rows):
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT COUNT(*) FROM Items").fetchone()[0]
    connection.close()
    if found != rows:
        sys.exit(f"{path} has {found} rows, not {rows}")


def group(number, batch, client):
    """The body of a `$batch` that inserts rows as one transaction, exactly once."""
    parts = [
        {"id": f"{number}.{place}", "atomicityGroup": f"t{number}", "method": "post", "url": "Items", "body": item}
        for place, item in enumerate(batch)
    ]
    parts[0]["headers"] = {
        "Repeatability-Request-ID": str(uuid.uuid4()),
        "Repeatability-Client-ID": client,
        "Repeatability-First-Sent": email.utils.formatdate(usegmt=True),
    }
    for part in parts:
        part.setdefault("headers", {})["Prefer"] = "return=minimal"
    return json.dumps({"requests": parts})


def tideline(program, folder, rows, upserts):
    path = database(folder, "tideline")
    data = os.path.join(folder, "data")
    publish = [program, "publish", "sqlite:" + path, "--data", data, "--domain", "bench", "--open"]
    subprocess.run(publish, check=True, stdout=subprocess.DEVNULL)
    client = str(uuid.uuid4())
    with Service([program, "serve", "--data", data, "--host", "127.0.0.1", "--port", "0"]) as service:
        if upserts:
            delta = [json.dumps({"@context": "#$delta", "value": batch}) for batch in batches(rows)]
            requests = [({"Prefer": "return=minimal"}, body) for body in delta]
            seconds = push(service, "/odata/bench/Items", requests, lambda status, _: status == 204, "PATCH")
        else:
            requests = [({}, group(number, batch, client)) for number, batch in enumerate(batches(rows))]
            seconds = push(
                service,
                "/odata/bench/$batch",
                requests,
                lambda status, text: status == 200 and not re.search(rb'"status": ?[45]', text),
            )
    check(path, rows)
    return seconds


def datasette(folder, rows, upserts):
    path = database(folder, "datasette")
    # The change log that sqlite-chronicle keeps, as Tideline keeps its own.
    connection = sqlite3.connect(path)
    import sqlite_chronicle

    sqlite_chronicle.enable_chronicle(connection, "Items")
    connection.commit()
    connection.close()
    settings = os.path.join(folder, "datasette.json")
    with open(settings, "w") as file:
        allowed = {name: True for name in ["insert-row", "update-row"]}
        json.dump({"permissions": allowed, "settings": {"max_insert_rows": BATCH}}, file)
    port = free_port()
    command = [sys.executable, "-m", "datasette", path, "--config", settings, "--host", "127.0.0.1", "--port", str(port)]
    requests = [({}, json.dumps({"rows": batch})) for batch in batches(rows)]
    with Service(command, port) as service:
        action, done = ("upsert", 200) if upserts else ("insert", 201)
        seconds = push(service, f"/datasette/Items/-/{action}", requests, lambda status, _: status == done)
    check(path, rows)
    return seconds


def django(folder, rows, upserts):
    path = database(folder, "django")
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--chdir", HERE, "--bind", f"127.0.0.1:{port}", "--workers", "2"]
    command += ["--threads", "2", "--log-level", "error", "django_service:application"]
    requests = [({}, json.dumps(batch)) for batch in batches(rows)]
    with Service(command, port, {"ITEMS_DATABASE": path}) as service:
        seconds = push(service, "/items/?upsert" if upserts else "/items/", requests, lambda status, _: status == 201)
    check(path, rows)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tideline", required=True, help="the built program")
    parser.add_argument("--rows", type=int, default=50_000, help="how many rows each service takes; a multiple of 500")
    parser.add_argument("--folder", required=True, help="an empty folder for the databases")
    given = parser.parse_args()
    taken = {}
    for name in ["inserts", "upserts"]:
        folder = os.path.join(given.folder, name)
        os.makedirs(folder)
        taken[name] = {
            "Tideline": tideline(given.tideline, folder, given.rows, name == "upserts"),
            "Datasette": datasette(folder, given.rows, name == "upserts"),
            "Django REST": django(folder, given.rows, name == "upserts"),
        }
    print(json.dumps(taken))


if __name__ == "__main__":
    main()
