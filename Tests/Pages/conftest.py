# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The demo on a server of its own for each test, and browsers that look at it."""

import os
import pathlib
import shutil

import pytest
from app import Browser, Service
from playwright.sync_api import expect, sync_playwright
from server import Server

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PICTURES = pathlib.Path(".build/pages")

# How long a page is waited for, in milliseconds: the machine may be compiling beside the tests.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def chromium():
    """One Chromium for all tests; each test has contexts of its own."""
    with sync_playwright() as playwright:
        # Debian's Chromium looks for a graphics card otherwise, and draws more slowly where there is none.
        arguments = ["--disable-gpu", "--disable-gpu-rasterization"]
        # Chromium refuses its sandbox to root, which is who tests in containers are.
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The data of a demo that nobody has used yet: made once, for the hashes of its passwords take long."""
    folder = tmp_path_factory.mktemp("demo")
    Server(folder).stop()
    return folder / "data"


@pytest.fixture
def server(tmp_path, demo):
    """The demo on a free port, with data of its own."""
    shutil.copytree(demo, tmp_path / "data")
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def browser(chromium, server):
    """Makes pages that are watched: an error on the console or a request to another host fails the test."""
    made = Browser(chromium, server)
    yield made
    made.finish()


@pytest.fixture
def service(server):
    """Another client of the service: ada, with no browser."""
    return Service(server, "ada", "tide-and-time-1")


@pytest.fixture(scope="session")
def pictures():
    """Where a person can look at the screens."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES
