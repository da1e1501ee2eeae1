# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A sync that comes in while the keyboard is somewhere leaves it there: on the same control of the same row."""

import re

import pytest
from app import expect_names, expect_status, go, reading, refuse, sign_in, write
from playwright.sync_api import expect
from test_fishing import enter, open_spot

WATCH = """() => {
    globalThis.marked = document.activeElement;
    globalThis.moves = 0;
    document.addEventListener("focusin", () => { moves += 1; });
}"""
UNMOVED = "() => document.activeElement === marked && moves === 0"
ONLINE = "() => dispatchEvent(new Event('online'))"


@pytest.fixture
def page(browser, server):
    return sign_in(browser.page(), server)


def watch(page, control):
    """Gives something the focus, and looks whether that moves."""
    control.focus()
    page.evaluate(WATCH)


def test_the_buttons_of_other_bookmarks_change_around_the_one_with_the_focus(page, service):
    watch(page, page.get_by_role("link", name="Topaz Filer"))
    service.change("Google", Name="Renamed")
    expect_names(page, "Renamed", ".NET 247", "Topaz Filer")
    expect_status(page, "In step")
    assert page.evaluate(UNMOVED)


def test_the_focus_follows_a_bookmark_to_another_place(page, service):
    watch(page, page.get_by_role("link", name=".NET 247"))
    service.change(".NET 247", Ordinal=4)
    expect_names(page, "Google", "…", "Topaz Filer", "…", ".NET 247")
    expect(page.get_by_role("link", name=".NET 247")).to_be_focused()
    # A bookmark that is gone leaves it at its place.
    service.delete(".NET 247")
    expect_names(page, "Google", "…", "Topaz Filer")
    expect(page.get_by_role("link", name="Place 5 is empty: configure")).to_be_focused()


@pytest.mark.parametrize("control", ["Delete .NET 247", "Move .NET 247, place 2"])
def test_the_rows_of_the_list_change_around_the_one_with_the_focus(page, service, control):
    go(page, "configure")
    watch(page, page.get_by_role("button", name=control))
    service.change("Google", Name="Renamed")
    expect(page.get_by_role("link", name="Edit Renamed")).to_be_visible()
    expect_status(page, "In step")
    assert page.evaluate(UNMOVED)
    # The row itself changes, and moves.
    service.change(".NET 247", Name="Dot", Ordinal=3)
    expect(page.get_by_role("button", name=control.replace(".NET 247", "Dot").replace("place 2", "place 4"))).to_be_focused()


def test_a_row_that_is_deleted_elsewhere_leaves_the_focus_at_its_place(page, service):
    go(page, "configure")
    watch(page, page.get_by_role("button", name="Delete .NET 247"))
    service.delete(".NET 247")
    expect(page.get_by_role("link", name="Add a bookmark at place 2")).to_be_focused()


def test_a_deletion_after_a_move_gives_the_focus_to_the_place_that_is_free(page, service):
    go(page, "configure")
    service.change(".NET 247", Ordinal=4)
    expect(page.get_by_role("button", name="Move .NET 247, place 5")).to_be_visible()
    page.get_by_role("button", name="Delete .NET 247").click()
    expect(page.get_by_role("link", name="Add a bookmark at place 5")).to_be_focused()


def test_what_was_refused_keeps_the_focus_through_a_sync(page, service):
    refuse(page)
    write(page, 4, "Fourth", "https://fourth.example/")
    write(page, 5, "Fifth", "https://fifth.example/")
    expect_status(page, "2 refused")
    go(page, "sync")
    watch(page, page.get_by_role("button", name="Discard my change").first)
    with reading(page, "Renamed"):
        service.change("Google", Name="Renamed")
    expect_status(page, "2 refused")
    # Another sync, of nothing; the times that stand there go on.
    with page.expect_response(re.compile("deltatoken")):
        page.evaluate(ONLINE)
    expect_status(page, "2 refused")
    assert page.evaluate(UNMOVED)


def test_the_list_of_fishing_that_is_asked_for_again_keeps_the_focus(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    open_spot(page, "Old pier")
    page.get_by_role("button", name="Spots near it").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    expect(page.get_by_role("button", name="Spots near it")).to_be_focused()
    # A row that is closed keeps it, too.
    row = page.locator(".spots .row", has_text="Old pier")
    row.focus()
    page.keyboard.press("Enter")
    expect(row).to_have_attribute("aria-expanded", "false")
    expect(row).to_be_focused()
