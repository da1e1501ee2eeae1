# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Whether a copy of a tab is there: its lock says so, and no clock."""

import json

import pytest
from app import expect_status, sign_in
from playwright.sync_api import expect
from test_fishing import enter
from test_fishing_copies import KEY, TYPE_AT_ONCE, device, stored
from test_tabs import OWN, renew
from test_tabs import device as bookmarks_device

# A page that is busy: what it says to other ones waits until the test lets it go on. It cannot note what it has renewed, as in
# a browser whose store is full.
BUSY = """
const post = BroadcastChannel.prototype.postMessage;
globalThis.kept = [];
BroadcastChannel.prototype.postMessage = function (message) {
    if (globalThis.isBusy && this.name.includes("copies")) kept.push(() => post.call(this, message));
    else post.call(this, message);
};
const setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
    if (key.includes(".generation.")) throw new DOMException("It is full.", "QuotaExceededError");
    setItem.call(this, key, value);
};
"""
LET_GO = "() => { globalThis.isBusy = false; for (const say of kept) say(); }"


def test_a_copy_of_fishing_that_is_slow_to_answer_is_waited_for(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    one = browser.page(context)
    one.add_init_script(BUSY)
    enter(one, server, "ann")
    first = stored(one)
    ended.add(json.loads(first)["access_token"])
    one.evaluate(TYPE_AT_ONCE, "59.9")
    expect(one.locator("#live")).to_have_text("2 spots within 3 km.")
    one.evaluate("() => { globalThis.isBusy = true; }")
    late = browser.page(context)
    late.clock.install()
    late.add_init_script(f"sessionStorage.getItem('{KEY}') ?? sessionStorage.setItem('{KEY}', {json.dumps(first)});")
    late.goto(server.address + "/apps/fishing/")
    one.wait_for_function("() => kept.length > 0")
    late.clock.run_for(2_000)
    one.evaluate(LET_GO)
    expect(late.locator("#live")).to_have_text("10 spots.")
    assert sent == [json.loads(first)["refresh_token"]]
    assert stored(late) == stored(one)


def test_a_tab_of_fishing_that_is_alone_renews_its_sign_in_while_no_clock_runs(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    page = browser.page(context)
    enter(page, server, "ann")
    first = json.loads(stored(page))
    ended.add(first["access_token"])
    page.get_by_label("Latitude").fill("59.9")
    page.evaluate("() => { globalThis.setTimeout = () => 0; }")
    # Without a wait, as no key is being pressed.
    page.get_by_text("Add a spot").click()
    page.get_by_label("Longitude").fill("10.7")
    page.get_by_label("Name").fill("Reef")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    assert sent == [first["refresh_token"]]


@pytest.mark.parametrize("is_plain", [False, True], ids=["with Web Locks", "without Web Locks"])
def test_a_copy_of_six_bookmarks_that_is_slow_to_answer_is_waited_for(browser, server, is_plain):
    context = bookmarks_device(browser, is_plain)
    one = browser.page(context)
    one.add_init_script(BUSY)
    sign_in(one, server, remember=False)
    first = one.evaluate(OWN)
    renew(one)
    one.evaluate("() => { globalThis.isBusy = true; }")
    late = browser.page(context)
    late.clock.install()
    text = json.dumps({**json.loads(first), "expires": 0})
    late.add_init_script(f"sessionStorage.length || sessionStorage.setItem('sixbookmarks.session', {json.dumps(text)});")
    late.goto(server.app)
    one.wait_for_function("() => kept.length > 0")
    late.clock.run_for(2_000)
    one.evaluate(LET_GO)
    expect_status(late, "In step")
    assert len(context.renewed) == 1
    assert late.evaluate(OWN) == one.evaluate(OWN)
