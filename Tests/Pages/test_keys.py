# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Keyboard shortcuts of the app."""

from access import check
from app import expect_names, expect_status, go, sign_in
from playwright.sync_api import expect


# covers: SB-F134 SB-F160
def test_a_question_mark_lists_the_keys_and_they_do_what_it_says(browser, server, service, pictures):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog.get_by_role("term")).to_have_text(["1 to 6", "b", "c", "s", "a", "?"])
    page.screenshot(path=pictures / "sixbookmarks-15-keys-1280-light.png")
    check(page)
    # None of them works below the list.
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("heading", name="Your bookmarks")).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="About Six Bookmarks")).to_be_focused()
    page.keyboard.press("b")
    expect(page.get_by_role("heading", name="Your bookmarks")).to_be_focused()
    service.change("Google", Name="Changed elsewhere")
    page.keyboard.press("s")
    expect_names(page, "Changed elsewhere", ".NET 247", "Topaz Filer")
    with context.expect_page() as opened:
        page.keyboard.press("2")
    assert opened.value.url == "http://www.dotnet247.com/"
    assert opened.value.evaluate("() => window.opener") is None


# covers: SB-F134 SB-F130
def test_a_number_opens_its_bookmark_from_every_view(browser, server):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    for view in ("configure", "about", "sync"):
        go(page, view)
        with context.expect_page() as opened:
            page.keyboard.press("2")
        assert opened.value.url == "http://www.dotnet247.com/"
        assert opened.value.evaluate("() => window.opener") is None
        opened.value.close()
    # An empty place leads to the configuration from its button; elsewhere it takes nobody away.
    page.keyboard.press("5")
    expect(page.locator("#live")).to_have_text("Place 5 is empty.")
    expect(page.get_by_role("heading", name="Sync")).to_be_visible()
    go(page, "")
    page.keyboard.press("5")
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()


# covers: SB-F160
def test_keys_leave_typing_alone_and_can_be_switched_off(browser, server):
    page = browser.page()
    page.goto(server.app)
    # Before the sign-in there are none.
    page.locator("body").press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    sign_in(page, server)
    go(page, "edit/4")
    page.get_by_label("Name").press_sequentially("abc 123?s")
    expect(page.get_by_label("Name")).to_have_value("abc 123?s")
    expect(page.get_by_role("heading", name="New bookmark")).to_be_visible()
    go(page, "about")
    page.get_by_role("button", name="Show keyboard shortcuts").click()
    page.get_by_label("Use keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Show keyboard shortcuts")).to_be_focused()
    page.keyboard.press("c")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="About Six Bookmarks")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    expect_status(page, "In step")
    page.keyboard.press("b")
    expect(page.get_by_role("heading", name="About Six Bookmarks")).to_be_visible()
