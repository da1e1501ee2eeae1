# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The six buttons, the list behind them, and the editor."""

import re

import pytest
from app import PHONE, expect_names, expect_status, go, names, sign_in, write
from playwright.sync_api import expect


@pytest.fixture
def page(browser, server):
    return sign_in(browser.page(), server)


def fill_up(page):
    """Makes six of three."""
    for place in (4, 5, 6):
        write(page, place, f"Number {place}", f"https://example.com/{place}")
    expect_status(page, "In step")


# covers: SB-F130 SB-F131
def test_a_button_opens_its_address_in_a_new_tab_that_knows_nothing_of_this_one(page):
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Google").click()
    assert opened.value.url == "http://www.google.co.uk/"
    assert opened.value.evaluate("() => window.opener") is None
    assert opened.value.evaluate("() => document.referrer") == ""
    page.get_by_role("link", name="Place 4 is empty: configure").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()


# covers: SB-F132 SB-F134
def test_about_and_configure_are_reached_from_everywhere(page):
    page.get_by_role("link", name="About").click()
    expect(page.get_by_role("heading", name="About Six Bookmarks")).to_be_focused()
    assert page.title() == "About · Six Bookmarks"
    expect(page.get_by_role("link", name="Tideline")).to_have_attribute("href", "/")
    page.get_by_role("link", name="Configure").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name="About Six Bookmarks")).to_be_visible()


# covers: SB-F101 SB-F130 SB-F140 SB-F141 SB-F103
def test_add_takes_the_lowest_free_place(page, service):
    go(page, "configure")
    page.get_by_role("button", name="Delete .NET 247").click()
    # Its place is free when it is gone from the store.
    expect(page.get_by_role("button", name="Delete .NET 247")).to_have_count(0)
    page.get_by_role("button", name="Add bookmark").click()
    expect(page.get_by_text("Place 2 of six")).to_be_visible()
    page.get_by_label("Name").fill("Second")
    page.get_by_label("Address").fill("second.example/path")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()
    expect_status(page, "In step")
    go(page, "")
    expect_names(page, "Google", "Second", "Topaz Filer")
    assert service.slots == [(0, "Google"), (1, "Second"), (2, "Topaz Filer")]
    assert service.row("Second")["Url"] == "https://second.example/path"


# covers: SB-F140
def test_who_leaves_the_editor_while_it_saves_stays_where_they_went(page):
    go(page, "edit/4")
    page.get_by_label("Name").fill("Fourth")
    page.get_by_label("Address").fill("https://fourth.example/")
    page.evaluate("""() => {
        [...document.querySelectorAll("button")].find((each) => each.textContent === "Save bookmark").click();
        location.hash = "#/";
    }""")
    expect_names(page, "Google", ".NET 247", "Topaz Filer", "Fourth")
    expect_status(page, "In step")
    assert page.url.endswith("#/")


# covers: SB-F141 SB-F045
def test_a_seventh_is_refused_in_words(page):
    fill_up(page)
    go(page, "configure")
    page.get_by_role("button", name="Add bookmark").click()
    expect(page.get_by_text("Six bookmarks are the most there are.")).to_be_visible()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()


# covers: SB-F142 SB-F150 SB-W06
def test_delete_can_be_undone(page, service):
    before = service.bookmarks
    go(page, "configure")
    page.get_by_role("button", name="Delete Google").click()
    expect(page.get_by_role("status").filter(has_text="is deleted")).to_be_visible()
    expect(page.get_by_role("link", name="Add a bookmark at place 1")).to_be_focused()
    expect_status(page, "In step")
    assert service.slots == [(1, ".NET 247"), (2, "Topaz Filer")]
    page.get_by_role("button", name="Undo").click()
    # The row is back first: until then the status is still that of the deletion.
    expect(page.get_by_role("link", name="Edit Google")).to_be_focused()
    expect_status(page, "In step")
    assert [(row["Ordinal"], row["Name"], row["Url"]) for row in service.bookmarks] == [
        (row["Ordinal"], row["Name"], row["Url"]) for row in before
    ]


# covers: SB-F142
def test_a_deletion_that_was_not_sent_is_undone_without_a_trace(page, server, service):
    before = service.bookmarks
    server.stop()
    expect_status(page, "Offline")
    go(page, "configure")
    page.get_by_role("button", name="Delete Google").click()
    expect_status(page, "Offline, 1 waiting")
    page.get_by_role("button", name="Undo").click()
    expect_status(page, "Offline")
    server.start()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")
    assert service.bookmarks == before


# covers: SB-F151
def test_cancel_saves_nothing(page, service):
    before = service.bookmarks
    go(page, "configure")
    page.get_by_role("link", name="Edit Google").click()
    expect(page.get_by_label("Name")).to_have_value("Google")
    expect(page.get_by_label("Address")).to_have_value("http://www.google.co.uk")
    page.get_by_label("Name").fill("Something else")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("link", name="Edit Google")).to_be_visible()
    expect_status(page, "In step")
    assert service.bookmarks == before


# covers: SB-F151
def test_a_double_click_saves_one_bookmark(page, service):
    go(page, "edit/4")
    page.get_by_label("Name").fill("Once")
    page.get_by_label("Address").fill("once.example")
    page.get_by_role("button", name="Save bookmark").evaluate("button => { button.click(); button.click(); }")
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()
    expect_status(page, "In step")
    assert service.slots == [(0, "Google"), (1, ".NET 247"), (2, "Topaz Filer"), (3, "Once")]


# covers: SB-F151 SB-F152 SB-F065
def test_each_field_says_what_is_wrong_with_it(page):
    go(page, "edit/4")
    page.get_by_role("button", name="Save bookmark").click()
    problems = page.get_by_role("alert").get_by_role("listitem")
    expect(problems).to_have_text(["Enter a name.", "Enter an address, like https://example.com."])
    expect(page.get_by_label("Name")).to_be_focused()
    page.get_by_label("Name").fill("n" * 129)
    page.get_by_label("Address").fill("ftp://example.com/")
    page.get_by_role("button", name="Save bookmark").click()
    expect(problems.first).to_have_text("The name has 129 characters; 128 is the most.")
    expect(problems.last).to_contain_text("http:// or https://")
    page.get_by_label("Name").fill("n" * 128)
    page.get_by_label("Address").fill("https://")
    page.get_by_role("button", name="Save bookmark").click()
    expect(problems).to_have_text(["The address has no host. After https:// comes the name of a site, like example.com."])
    page.get_by_label("Address").fill("https://example.com/" + "a" * 240)
    page.get_by_role("button", name="Save bookmark").click()
    expect(problems).to_have_text(["The address has 260 characters; 256 is the most."])
    expect(page.get_by_label("Address")).to_be_focused()
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.get_by_label("Address")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("n" * 128)


# covers: SB-F144 SB-W08
@pytest.mark.parametrize("is_full", [False, True])
def test_dragging_changes_places_in_one_transaction(page, service, is_full):
    if is_full:
        fill_up(page)
    keys = {row["Name"]: row["BookmarkId"] for row in service.bookmarks}
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.url.endswith("$batch") else None)
    go(page, "configure")
    first = page.get_by_role("button", name="Move Google, place 1").bounding_box()
    third = page.get_by_role("button", name="Move Topaz Filer, place 3").bounding_box()
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(third["x"] + 20, third["y"] + 20, steps=5)
    expect(page.locator("[data-place='2']")).to_have_class("row aim")
    page.mouse.up()
    expect(page.get_by_role("button", name="Move Google, place 3")).to_be_visible()
    expect_status(page, "In step")
    assert service.slots[:3] == [(0, "Topaz Filer"), (1, ".NET 247"), (2, "Google")]
    assert len({request["atomicityGroup"] for request in sent[-1]["requests"]}) == 1
    assert {row["Name"]: row["BookmarkId"] for row in service.bookmarks} == keys


# covers: SB-F144
def test_a_bookmark_can_be_dragged_to_an_empty_place_on_a_phone(browser, server, service):
    page = sign_in(browser.page(viewport=PHONE), server)
    go(page, "configure")
    first = page.get_by_role("button", name="Move Google, place 1").bounding_box()
    sixth = page.locator("[data-place='5']").bounding_box()
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(first["x"] + 20, sixth["y"] + 20, steps=5)
    page.mouse.up()
    expect(page.get_by_role("button", name="Move Google, place 6")).to_be_visible()
    expect_status(page, "In step")
    assert service.slots == [(1, ".NET 247"), (2, "Topaz Filer"), (5, "Google")]


# covers: SB-F160 SB-F144 SB-F140
def test_everything_goes_with_the_keyboard_alone(browser, server, service):
    page = browser.page()
    page.goto(server.app)

    def until(name):
        """Presses Tab until the focus is on what has this name."""
        for _ in range(40):
            page.keyboard.press("Tab")
            found = page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent")
            if found.strip() == name:
                return
        raise AssertionError(f"Tab never comes to {name}")

    until("Name")
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type("tide-and-time-1")
    page.keyboard.press("Enter")
    expect_status(page, "In step")
    expect(page.get_by_role("heading", name="Your bookmarks")).to_be_focused()
    until("Place 4 is empty: configure")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()
    until("Add bookmark")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New bookmark")).to_be_focused()
    until("Name")
    page.keyboard.type("By hand")
    page.keyboard.press("Tab")
    page.keyboard.type("hand.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_focused()
    until("Move By hand, place 4")
    live = page.locator("#live")
    page.keyboard.press("Enter")
    expect(live).to_contain_text("Picked up.")
    page.keyboard.press("ArrowUp")
    expect(live).to_have_text("Place 3 of 6, changes places with Topaz Filer.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(live).to_have_text("By hand is at place 2.")
    expect(page.get_by_role("button", name="Move By hand, place 2")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(live).to_have_text("By hand stays at place 2.")
    until("Delete Topaz Filer")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Add a bookmark at place 3")).to_be_focused()
    until("Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Edit Topaz Filer")).to_be_focused()
    expect_status(page, "In step")
    assert service.slots == [(0, "Google"), (1, "By hand"), (2, "Topaz Filer"), (3, ".NET 247")]
    page.keyboard.press("Shift+Tab")
    page.evaluate("() => document.getElementById('main').focus()")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sync")).to_be_focused()
    until("Sync now")
    page.keyboard.press("Enter")
    expect(live).to_have_text("Synced. In step.")


# covers: SB-F143 SB-W33
def test_sync_now_brings_what_is_new_and_says_so(browser, page, service):
    browser.allow("ERR_FAILED")
    go(page, "sync")
    page.route("**/$events", lambda route: route.abort())
    service.change("Google", Name="Renamed")
    page.get_by_role("button", name="Sync now").click()
    expect(page.locator("#live")).to_have_text("Synced. In step.")
    expect(page.get_by_text("This device and the service have the same bookmarks.")).to_be_visible()
    go(page, "")
    expect(names(page).first).to_have_text("Renamed")


# covers: SB-F143
def test_a_press_while_a_sync_runs_is_answered_when_the_one_after_it_has_ended(page, service):
    go(page, "sync")
    held = []
    address = re.compile(r"/odata/sixbookmarks/Bookmarks")
    page.route(address, lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(address):
        page.keyboard.press("s")
    page.get_by_role("button", name="Syncing…").click()
    expect(page.get_by_role("button", name="Syncing…")).to_be_disabled()
    service.change("Google", Name="Renamed")
    expect(page.locator("#live")).to_be_empty()
    held[0].continue_()
    expect(page.locator("#live")).to_have_text("Synced. In step.")
    expect(page.get_by_role("button", name="Sync now")).to_be_enabled()
    go(page, "")
    expect(names(page).first).to_have_text("Renamed")
