# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A store that the browser has closed under the app: it says so, and does not look as if it kept anything."""

import pytest
from app import expect_status, go, sign_in
from playwright.sync_api import expect

DELETE = """async () => {
    const [{ name }] = (await indexedDB.databases()).filter((each) => /^sixbookmarks-.{36}$/.test(each.name));
    await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
}"""
WORDS = "This browser has deleted or closed what the app had stored, so nothing you do here is kept."


# covers: SB-F115
@pytest.mark.parametrize("way", ["cleared", "deleted"])
def test_a_store_that_is_gone_is_told_in_the_mark_and_where_something_fails(browser, server, service, way):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    go(page, "edit/1")
    page.get_by_label("Name").fill("Kept?")
    if way == "deleted":
        other = browser.page(context)
        other.goto(server.address + "/")
        other.evaluate(DELETE)
    else:
        what = {"origin": server.address, "storageTypes": "indexeddb"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", what)
    expect_status(page, "Nothing is stored")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("alert")).to_contain_text(WORDS)
    expect(page.get_by_label("Name")).to_have_value("Kept?")
    go(page, "configure")
    page.get_by_role("button", name="Delete Google").click()
    expect(page.locator("#toast")).to_contain_text(WORDS)
    page.get_by_role("button", name="Close this message").click()
    page.get_by_role("button", name="Move Google, place 1").press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text(WORDS)
    expect(page.locator("#live")).to_have_text("Google is not moved: it could not be stored.")
    go(page, "sync")
    expect(page.locator(".panel")).to_contain_text(WORDS)
    expect_status(page, "Nothing is stored")
    assert service.slots[0] == (0, "Google")
