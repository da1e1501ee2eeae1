# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The snippets of docs/clients.md, run as they stand there but for the address and the size of a page."""

import pathlib
import re
import shutil
import subprocess

import pytest

GUIDE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "clients.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
ABOVE_TEN = ["Chai", "Chang", "Tofu"]


def here(text, service):
    """With the address of the running service, and pages so small that there are several."""
    assert "http://127.0.0.1:8080/odata/shop/" in text
    return text.replace("http://127.0.0.1:8080/odata/shop/", service).replace("maxpagesize=1000", "maxpagesize=2")


def run(word, service):
    """Runs the one snippet that speaks of a word; returns the names it leaves."""
    found = [snippet for snippet in SNIPPETS if word in snippet]
    assert len(found) == 1, f"one snippet of {word}"
    names = {}
    exec(compile(here(found[0], service), f"docs/clients.md ({word})", "exec"), names)
    return names


def test_requests(service, capsys):
    run("requests.get", service)
    printed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert printed == ABOVE_TEN


def test_python_odata(service, capsys):
    run("ODataService", service)
    assert capsys.readouterr().out.split()[-2:] == ["Tofu", "Chang"]


def test_pyodata(service, capsys):
    run("import pyodata", service)
    assert capsys.readouterr().out.split() == ABOVE_TEN


def test_dlt(service):
    rows = run("RESTClient", service)["rows"]
    assert [row["ProductName"] for row in rows] == ["Chai", "Chang", "Syrup", "Chef's mix", "Tofu"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed here")
def test_curl(service):
    [line] = re.findall(r'^ {4}(curl ".*)$', GUIDE, re.MULTILINE)
    answer = subprocess.run(["bash", "-c", here(line, service)], check=True, capture_output=True, text=True, timeout=30)
    assert re.findall(r'"ProductName":"(\w+)"', answer.stdout) == ["Chai", "Chang"]
