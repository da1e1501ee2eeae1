# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What another device does while a person is in the middle of something in the list of the places."""

import pytest
from access import check
from app import expect_status, go, reading, sign_in
from playwright.sync_api import expect


@pytest.fixture
def page(browser, server):
    opened = sign_in(browser.page(), server)
    go(opened, "configure")
    return opened


def arrives(page, text, change):
    """Makes a change on another device, and waits until the text that it writes is on this one."""
    with reading(page, text):
        change()
    expect_status(page, "In step")


# covers: SB-F142
def test_an_undo_that_finds_all_places_taken_says_so_and_stays_at_hand(page, service):
    for place in (3, 4, 5):
        service.add(f"Number {place + 1}", f"https://example.com/{place}", place)
    expect(page.locator(".row .name")).to_have_count(6)
    page.get_by_role("button", name="Delete Google").click()
    expect(page.get_by_role("status").filter(has_text="“Google” is deleted.")).to_be_visible()
    expect_status(page, "In step")
    service.add("Theirs", "https://theirs.example/", 0)
    expect(page.get_by_role("link", name="Edit Theirs")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    note = page.locator(".note.bad")
    expect(note).to_contain_text("“Google” is not back. All six places are taken now. Delete a bookmark to make room.")
    again = note.get_by_role("button", name="Bring “Google” back")
    expect(again).to_be_focused()
    check(page)
    again.click()
    expect(page.locator("#live")).to_contain_text("“Google” is not back.")
    page.get_by_role("button", name="Delete Theirs").click()
    expect(page.get_by_role("status").filter(has_text="“Theirs” is deleted.")).to_be_visible()
    # A second press, before the first one has done it, asks for nothing.
    again.evaluate("button => { button.click(); button.click(); }")
    expect(page.get_by_role("link", name="Edit Google")).to_be_focused()
    expect(note).to_have_count(0)
    expect_status(page, "In step")
    expect(page.locator("#live")).not_to_contain_text("is not back")
    assert [name for _, name in service.slots] == ["Google", ".NET 247", "Topaz Filer", "Number 4", "Number 5", "Number 6"]


# covers: SB-F142 SB-W31
def test_the_deletion_of_a_bookmark_without_a_name_is_told_as_the_list_calls_it(page, service):
    arrives(page, '"Name":""', lambda: service.change("Google", Name=""))
    page.get_by_role("button", name="Delete (no name)").click()
    expect(page.get_by_role("status").filter(has_text="“(no name)” is deleted.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_have_text("“(no name)” is back.")


# covers: SB-F144
def test_a_row_that_is_let_go_shows_what_came_while_it_was_held(page, service):
    page.get_by_role("button", name="Move Google, place 1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_contain_text("Picked up.")
    arrives(page, "Renamed", lambda: service.change("Google", Name="Renamed"))
    expect(page.get_by_role("button", name="Move Google, place 1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Move Renamed, place 1")).to_be_focused()
    # So it is where the focus leaves the row, and it goes where it was to go.
    page.keyboard.press("Enter")
    arrives(page, "Once more", lambda: service.change("Renamed", Name="Once more"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Edit Once more")).to_be_focused()


# covers: SB-F144
def test_a_row_that_was_deleted_while_it_was_held_is_told_to_be_nowhere(page, service):
    page.get_by_role("button", name="Move Topaz Filer, place 3").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    arrives(page, "removed", lambda: service.delete("Topaz Filer"))
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text("Topaz Filer is not moved: another device changed the list meanwhile.")
    expect(page.locator(".row .name")).to_have_text(["Google", ".NET 247"])
    assert service.slots == [(0, "Google"), (1, ".NET 247")]
