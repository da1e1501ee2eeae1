# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A store that opens slowly: whoever signs in meanwhile, one is open in the end, and the others are closed."""

from app import PASSWORDS, expect_names, expect_status, until
from playwright.sync_api import expect
from test_sign_in import fill

# Holds the opening of each user's store until the test lets it go on, and counts those that are open.
SLOW = """
globalThis.held = [];
globalThis.openings = 0;
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (name, version) {
    const request = open.call(this, name, version);
    if (!/^sixbookmarks-[0-9a-f]{8}-/.test(name)) return request;
    request.addEventListener("success", (event) => {
        openings += 1;
        event.stopImmediatePropagation();
        held.push(() => request.onsuccess());
    });
    return request;
};
const close = IDBDatabase.prototype.close;
IDBDatabase.prototype.close = function () {
    openings -= 1;
    close.call(this);
};
"""
# The locks that each open store has: one that listens, and none that waits behind another of this tab.
EVENTS = """async () => {
    const { held, pending } = await navigator.locks.query();
    const count = (locks) => locks.filter(({ name }) => name.startsWith("sixbookmarks-events-")).length;
    return [count(held), count(pending)];
}"""


def slow(browser, server):
    """The sign-in form of a browser whose stores open when the test lets them."""
    page = browser.page()
    page.add_init_script(SLOW)
    page.goto(server.app)
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url) if request.url.endswith("/token") else None)
    return page


# covers: SB-F124
def test_a_second_press_while_the_store_opens_does_nothing(browser, server):
    page = slow(browser, server)
    fill(page, "ada", PASSWORDS["ada"])
    page.wait_for_function("() => held.length === 1")
    busy = page.get_by_role("button", name="Signing in…")
    expect(busy).to_have_attribute("aria-disabled", "true")
    busy.evaluate("button => button.click()")
    page.get_by_label("Password").press("Enter")
    page.evaluate("() => held[0]()")
    expect_status(page, "In step")
    until(page, lambda: page.evaluate(EVENTS) == [1, 0])
    assert len(page.asked) == 1
    assert page.evaluate("() => [held.length, openings]") == [1, 1]


# covers: SB-S08 SB-F124
def test_an_opening_that_another_overtakes_is_closed(browser, server):
    page = slow(browser, server)
    fill(page, "ada", PASSWORDS["ada"])
    page.wait_for_function("() => held.length === 1")
    # The way to the other form and back: a form that nobody has sent yet.
    for name in ("Register", "Sign in"):
        page.get_by_role("link", name=name).click()
        expect(page.get_by_role("button", name=name)).to_be_visible()
    fill(page, "grace", PASSWORDS["grace"])
    page.wait_for_function("() => held.length === 2")
    # The later sign-in opens first, and the earlier one late.
    page.evaluate("() => held[1]()")
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    expect_status(page, "In step")
    page.evaluate("() => held[0]()")
    page.wait_for_function("() => openings === 1")
    until(page, lambda: page.evaluate(EVENTS) == [1, 0])
    page.get_by_role("link", name="About").click()
    expect(page.get_by_text("grace", exact=True)).to_be_visible()
