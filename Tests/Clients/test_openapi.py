# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document of the shop is valid, and what it offers never makes the server fail."""

import os
import pathlib
import subprocess
import sys

import requests
from conftest import Server
from openapi_spec_validator import validate


def test_the_document_is_valid(service):
    answer = requests.get(service + "openapi.json", timeout=30)
    assert answer.status_code == 200
    document = answer.json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    paths = document["paths"]
    assert {"get", "post"} <= set(paths["/Customers"])


def test_requests_made_from_the_document_find_no_server_error(store, tmp_path):
    """schemathesis makes requests from the document, good and bad ones; TIDELINE_SEED and TIDELINE_EXAMPLES ask for others.

    They change and delete what is there, so the server is one of its own.
    """
    server = Server(tmp_path, store)
    try:
        command = [str(pathlib.Path(sys.executable).with_name("schemathesis"))]
        command += ["run", server.address + "/odata/shop/openapi.json", "--checks", "not_a_server_error"]
        command += ["--max-examples", os.environ.get("TIDELINE_EXAMPLES", "50")]
        command += ["--seed", os.environ.get("TIDELINE_SEED", "1")]
        # One worker: before 3.12.3, Python's parser counts its depth over all threads and fails when two parse at once.
        command += ["--phases", "examples,coverage,fuzzing,stateful", "--workers", "1"]
        hooks = {"SCHEMATHESIS_HOOKS": "requests_by_chance", "PYTHONPATH": str(pathlib.Path(__file__).parent)}
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=1800, cwd=tmp_path, env={**os.environ, **hooks}
        )
        print(run.stdout[-1500:])
        assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:] + server.errors()[-4000:]
    finally:
        server.stop()
