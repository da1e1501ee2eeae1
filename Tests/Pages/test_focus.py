# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The ring around what has the focus stands out from what is around it, on every page, light and dark."""

import pytest
import service_pages
from access import check_focus, walk
from app import DESK, PHONE, back, expect_status, go, sign_in
from playwright.sync_api import expect
from service_pages import FORM_STATUS, fill, open_page, press
from test_fishing import enter
from test_service_screens import PATHS

SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
WIDTHS = pytest.mark.parametrize("size", [PHONE, DESK], ids=["390", "1280"])


@SCHEMES
@WIDTHS
def test_the_servers_own_pages(browser, server, size, scheme):
    browser.allow("status of 40[14]")
    page = browser.page(viewport=size, color_scheme=scheme)
    for path in ("/", "/nothing", "/odata/fishing/", "/odata/sixbookmarks/"):
        page.goto(server.address + path)
        if page.locator("a[href]").count() > 0:
            walk(page)


@SCHEMES
@WIDTHS
def test_the_services_pages(browser, server, size, scheme):
    browser.allow(FORM_STATUS)
    page = browser.page(viewport=size, color_scheme=scheme)
    for path in ("", "register", "sign-in", "reset", "nothing-here"):
        open_page(page, server, path)
        walk(page)
    open_page(page, server, "register")
    press(page, "Register")
    walk(page)
    service_pages.sign_in(page, server)
    for path in PATHS:
        open_page(page, server, path)
        walk(page)
    open_page(page, server, "users/1001/bookmarks")
    fill(page, url0="javascript:alert(1)")
    press(page, "Save changes")
    walk(page)
    open_page(page, server, "test")
    press(page, "Send request")
    walk(page)


@SCHEMES
@WIDTHS
def test_six_bookmarks(browser, server, service, size, scheme):
    page = browser.page(viewport=size, color_scheme=scheme)
    page.goto(server.app)
    page.get_by_role("button", name="Sign in").click()
    walk(page)
    page.goto(server.app + "#/register")
    expect(page.get_by_role("button", name="Register")).to_be_visible()
    walk(page)
    page.goto(server.app + "#/")
    sign_in(page, server)
    server.sql("UPDATE Bookmarks SET Url = 'javascript:1' WHERE Name = 'Topaz Filer'")
    server.sql("INSERT INTO Bookmarks VALUES (7777, 1001, 'Without a place', 'https://late.example/', 9)")
    for view in ("", "configure", "edit/1", "edit/4", "edit/7", "about", "sync"):
        go(page, view)
        walk(page)
    go(page, "edit/4")
    page.get_by_role("button", name="Save bookmark").click()
    walk(page)
    # What is over the page: a message at the foot, the list of keys.
    go(page, "configure")
    page.get_by_role("button", name="Delete .NET 247").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    walk(page)
    page.get_by_role("button", name="Undo").focus()
    assert "Undo" in check_focus(page)
    page.get_by_role("button", name="Close this message").focus()
    check_focus(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("Tab")
        check_focus(page)


@SCHEMES
@WIDTHS
def test_what_waits_and_what_meets_in_six_bookmarks(browser, server, service, size, scheme):
    page = sign_in(browser.page(viewport=size, color_scheme=scheme), server)
    server.stop()
    go(page, "edit/1")
    page.get_by_label("Name").fill("Mine")
    page.get_by_role("button", name="Save bookmark").click()
    expect_status(page, "Offline, 1 waiting")
    go(page, "sync")
    walk(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("Tab")
        check_focus(page)
    page.keyboard.press("Escape")
    with back(page, server):
        service.change("Google", Name="Theirs")
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "1 conflict")
    walk(page)


@SCHEMES
@WIDTHS
def test_fishing(browser, server, size, scheme):
    page = browser.page(viewport=size, color_scheme=scheme)
    page.goto(server.address + "/apps/fishing/")
    page.get_by_role("button", name="Sign in").click()
    walk(page)
    enter(page, server, "ann")
    walk(page)
    page.locator(".spots .row", has_text="Old pier").click()
    # The catches, when they come, move what stands below them.
    expect(page.get_by_text("Looking for catches…")).to_have_count(0)
    page.get_by_text("Add a spot").click()
    page.get_by_role("button", name="Save spot").click()
    walk(page)
