# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Each screen on a phone and on a desk, light and dark, with a picture of each and a check of its making."""

import pytest
from access import check, walk
from app import DESK, NARROW, PHONE, back, expect_names, expect_status, go, kept_by_service_worker, sign_in, write
from playwright.sync_api import expect

WIDTHS = {"390": PHONE, "1280": DESK}


# covers: SB-F120 SB-F130 SB-F132 SB-F140 SB-F152 SB-F160
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_screen(browser, server, service, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)

    def look(name):
        page.mouse.move(0, 0)
        page.screenshot(path=pictures / f"sixbookmarks-{name}-{width}-{scheme}.png")
        check(page)

    page.goto(server.app)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    look("1-sign-in")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    look("2-sign-in-problems")
    sign_in(page, server)
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    look("3-navigator")
    kept_by_service_worker(page)
    go(page, "configure")
    look("4-configure")
    go(page, "edit/4")
    page.get_by_label("Address").fill("javascript:alert(1)")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("alert")).to_be_visible()
    look("5-editor-problems")
    go(page, "about")
    look("6-about")
    go(page, "sync")
    look("7-sync")
    server.stop()
    write(page, 1, "Search", "https://search.example/")
    write(page, 5, "Tideline", "https://tideline.example/docs/getting-started")
    go(page, "configure")
    page.get_by_role("button", name="Delete .NET 247").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect_status(page, "Offline, 3 waiting")
    look("8-configure-offline")
    go(page, "sync")
    look("9-sync-offline")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    look("10-sign-out")
    page.get_by_role("button", name="Stay signed in").click()
    with back(page, server):
        service.change("Google", Name="Other search")
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "1 conflict")
    look("11-conflict")
    go(page, "")
    look("12-navigator-conflict")


# covers: SB-F160
@pytest.mark.parametrize("view", ["", "configure", "edit/1", "about", "sync"])
def test_tab_reaches_everything_and_shows_where_it_is(browser, server, view):
    page = sign_in(browser.page(), server)
    go(page, view)
    reached = walk(page)
    wanted = page.locator("a[href]:visible, button:visible, input:visible").count()
    assert len(reached) == wanted, reached
    assert "Skip" in reached[0]


# covers: SB-F160
def test_every_view_fits_320_pixels(browser, server, pictures):
    page = sign_in(browser.page(viewport=NARROW), server)
    for view in ("", "configure", "edit/4", "about", "sync"):
        go(page, view)
        page.screenshot(path=pictures / f"sixbookmarks-{view.replace('/', '-') or 'navigator'}-320-light.png")
        check(page)


# covers: SB-F160
def test_nothing_moves_for_who_wants_no_motion(browser, server):
    page = sign_in(browser.page(reduced_motion="reduce"), server)
    go(page, "configure")
    moving = """() => [...document.querySelectorAll("*")].filter((node) => {
        const style = getComputedStyle(node);
        return style.animationName !== "none" || style.transitionDuration !== "0s";
    }).map((node) => node.className)"""
    assert page.evaluate(moving) == []
