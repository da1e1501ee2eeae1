# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The address of a bookmark that is not there: by a link of yesterday, a typing error, or a deletion elsewhere."""

import re

import pytest
from access import check, walk
from app import DESK, NARROW, PHONE, expect_names, expect_status, go, reading, sign_in, write
from playwright.sync_api import expect

WIDTHS = {"320": NARROW, "390": PHONE, "1280": DESK}
NOWHERE = ["7", "0", "01", "-1", "1.5", "", "1001", "b9999", "toString", "%E0%A4%A", "%3Cb%3E", "x" * 2000]


def expect_missing(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("No such bookmark")
    expect(page.get_by_role("textbox")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_screen_for_no_such_bookmark(browser, server, pictures, width, scheme):
    page = sign_in(browser.page(viewport=WIDTHS[width], color_scheme=scheme), server)
    go(page, "edit/7")
    expect_missing(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.title() == "No such bookmark · Six Bookmarks"
    page.screenshot(path=pictures / f"sixbookmarks-missing-{width}-{scheme}.png")
    check(page)
    assert walk(page)[-2:] == [" Configure bookmarks", " All bookmarks"]


@pytest.mark.parametrize("target", NOWHERE)
def test_no_form_is_shown_where_no_bookmark_is(browser, server, service, target):
    page = sign_in(browser.page(), server)
    before = service.bookmarks
    go(page, f"edit/{target}")
    expect_missing(page)
    page.get_by_role("main").get_by_role("link", name="Configure bookmarks").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Configure bookmarks")
    page.go_back()
    expect_missing(page)
    page.reload()
    expect_missing(page)
    page.get_by_role("main").get_by_role("link", name="All bookmarks").click()
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    assert service.bookmarks == before


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nope", "There is nothing at that address."),
        ("toString", "There is nothing at that address."),
        ("configure/nope", "There is nothing at that address."),
        ("edit/1/2", "There is nothing at that address."),
        ("/", "There is nothing at that address."),
        ("x" * 2000, "There is nothing at that address."),
        ("register", "You are signed in."),
    ],
)
def test_an_address_of_no_view_leads_to_the_bookmarks_and_says_so(browser, server, address, why):
    page = sign_in(browser.page(), server)
    go(page, "about")
    go(page, address)
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    expect(page.get_by_role("status").filter(has_text=f"{why} These are your bookmarks.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/apps/sixbookmarks/#/$"))
    check(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("About"))


def test_a_place_that_is_empty_is_one_to_fill(browser, server):
    page = sign_in(browser.page(), server)
    go(page, "edit/6")
    expect(page.get_by_role("heading", level=1)).to_have_text("New bookmark")
    go(page, "edit/b1001")
    expect(page.get_by_role("heading", level=1)).to_have_text("Edit bookmark")


def test_a_bookmark_that_comes_to_the_address_meanwhile_is_shown(browser, server):
    page = sign_in(browser.page(), server)
    go(page, "edit/b7777")
    expect_missing(page)
    # Outside of the six places, as another program may leave one: its address has its key.
    server.sql("INSERT INTO Bookmarks VALUES (7777, 1001, 'Late', 'https://late.example/', 4)")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("Edit bookmark")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Late")


def test_what_was_being_edited_and_was_deleted_elsewhere_is_not_lost(browser, server, service):
    page = sign_in(browser.page(), server)
    go(page, "edit/b1001")
    page.get_by_label("Name").fill("Typed slowly")
    with reading(page, "removed"):
        service.delete("Google")
    expect_status(page, "In step")
    expect(page.get_by_label("Name")).to_have_value("Typed slowly")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()
    expect_status(page, "In step")
    assert "Typed slowly" in [name for _, name in service.slots]
    # Its old key leads nowhere now.
    go(page, "edit/b1001")
    expect_missing(page)
    write(page, 5, "Fifth", "https://fifth.example/")
    expect_status(page, "In step")
