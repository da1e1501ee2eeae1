# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The service worker: it takes over every page, and a newer app waits for a word."""

from app import CONTROLLED, expect_names, kept_by_service_worker, sign_in
from playwright.sync_api import expect


# covers: SB-F112
def test_a_page_that_was_loaded_past_the_worker_is_taken_over_too(browser, server):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    kept_by_service_worker(page)
    # As with Shift and reload: the worker is there, active, and passes this page by.
    context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    assert page.evaluate(CONTROLLED, 60_000)


# covers: SB-F112
def test_pages_that_load_while_the_worker_starts_are_taken_over(browser, server):
    context = browser.context()
    page = browser.page(context)
    for _ in range(12):
        page.goto(server.app)
    assert page.evaluate(CONTROLLED, 60_000)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
