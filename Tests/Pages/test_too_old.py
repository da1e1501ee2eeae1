# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A browser that lacks what an app needs says so, and shows no form that would not work."""

import pathlib
import re

import pytest
from access import check
from playwright.sync_api import expect

SENTENCE = "This browser is too old for this app. It needs Chrome or Edge 116, Firefox 124, Safari 17.4, or one that is newer."
APPS = {"sixbookmarks": "Six Bookmarks", "fishing": "Fishing"}


@pytest.mark.parametrize("app", APPS)
def test_a_browser_without_what_an_app_needs_says_so(browser, server, app):
    page = browser.page()
    page.add_init_script("delete AbortSignal.any;")
    page.goto(f"{server.address}/apps/{app}/")
    expect(page.get_by_text(SENTENCE)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(APPS[app])
    expect(page.get_by_role("textbox")).to_have_count(0)
    check(page)


@pytest.mark.parametrize("app", APPS)
def test_a_browser_that_has_it_does_not(browser, server, app):
    page = browser.page()
    page.goto(f"{server.address}/apps/{app}/")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_text(SENTENCE)).to_have_count(0)


def test_the_documentation_names_the_same_browsers():
    text = " ".join(pathlib.Path("docs/browser-app.md").read_text(encoding="utf-8").split())
    needed = re.search(r"It needs (.+?), or one that is newer", SENTENCE).group(1)
    assert needed in text
