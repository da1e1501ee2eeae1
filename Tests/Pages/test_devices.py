# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""More than one device: what meets, what merges, what loses and is kept."""

import json

import pytest
from app import PASSWORDS, back, expect_names, expect_status, go, names, reading, sign_in, write
from playwright.sync_api import expect


def online(page):
    page.evaluate("() => dispatchEvent(new Event('online'))")


@pytest.fixture
def apart(browser, server):
    """A signed-in page; the tests stop the server while it writes."""
    return sign_in(browser.page(), server)


# covers: SB-F161 SB-F103
def test_two_browsers_come_to_the_same(browser, server):
    one = sign_in(browser.page(), server)
    two = sign_in(browser.page(), server)
    write(one, 4, "From one", "https://one.example/")
    expect_names(two, "Google", ".NET 247", "Topaz Filer", "From one")
    write(two, 1, "From two", "https://two.example/")
    go(one, "")
    expect_names(one, "From two", ".NET 247", "Topaz Filer", "From one")


# covers: SB-F161 SB-F109 SB-F112
def test_two_browsers_and_a_device_in_a_terminal_come_to_the_same(browser, server, service, tmp_path):
    file = str(tmp_path / "terminal.tideline")
    address = server.address + "/odata/sixbookmarks/"
    server.run("clone", address, file, "--user", "ada", "--password-stdin", "--set", "Bookmarks", text=PASSWORDS["ada"])
    one = sign_in(browser.page(), server)
    two = sign_in(browser.page(), server)
    # All three are by themselves, and two of them change the same bookmark.
    server.stop()
    write(one, 4, "One", "https://one.example/")
    write(two, 5, "Two", "https://two.example/")
    write(one, 1, "Search", "http://www.google.co.uk")
    terminal = {"UserId": 1001, "Name": "Terminal", "Url": "https://terminal.example/", "Ordinal": 5}
    server.run("insert", file, "Bookmarks", json.dumps(terminal))
    server.run("update", file, "Bookmarks", "1001", json.dumps({"Url": "https://search.example/"}))
    server.start()
    online(one)
    expect_status(one, "In step")
    server.run("sync", file)
    online(two)
    online(one)
    all_six = ["Search", ".NET 247", "Topaz Filer", "One", "Two", "Terminal"]
    for page in (one, two):
        go(page, "")
        expect_names(page, *all_six)
        expect_status(page, "In step")
    assert [name for _, name in service.slots] == all_six
    assert service.row("Search")["Url"] == "https://search.example/"
    server.run("sync", file)
    lines = server.run("query", file, "Bookmarks?$orderby=Ordinal", "--json").splitlines()
    assert [json.loads(line)["Name"] for line in lines] == all_six


# covers: SB-F109 SB-W02 SB-W03
def test_changes_of_different_properties_merge(apart, server, service):
    server.stop()
    write(apart, 1, "My name for it", "http://www.google.co.uk")
    with back(apart, server):
        service.change("Google", Url="https://their.example/")
    online(apart)
    expect_status(apart, "In step")
    row = service.row("My name for it")
    assert (row["Url"], row["Ordinal"]) == ("https://their.example/", 0)


# covers: SB-F109 SB-W02 SB-W03 SB-W33
def test_a_conflict_is_seen_and_the_losing_value_brought_back(apart, server, service):
    server.stop()
    write(apart, 1, "Mine", "http://www.google.co.uk")
    with back(apart, server):
        service.change("Google", Name="Theirs")
    online(apart)
    expect_status(apart, "1 conflict")
    go(apart, "")
    expect_names(apart, "Theirs", ".NET 247", "Topaz Filer")
    apart.get_by_role("link", name="Sync: 1 conflict").click()
    expect(apart.get_by_text("Two devices changed the name of “Theirs”")).to_be_visible()
    expect(apart.get_by_role("definition")).to_have_text(["Mine", "Theirs"])
    apart.get_by_role("button", name="Use mine").click()
    expect_status(apart, "In step")
    assert service.slots[0] == (0, "Mine")


# covers: SB-F109
def test_a_conflict_can_be_let_go_and_is_still_there_after_a_reload(apart, server, service):
    server.stop()
    write(apart, 1, "Mine", "http://www.google.co.uk")
    with back(apart, server):
        service.change("Google", Name="Theirs")
    online(apart)
    expect_status(apart, "1 conflict")
    apart.reload()
    expect_status(apart, "1 conflict")
    go(apart, "sync")
    apart.get_by_role("button", name="Keep it as it is").click()
    expect_status(apart, "In step")
    assert service.slots[0] == (0, "Theirs")


# covers: SB-W09
def test_a_change_goes_before_a_deletion_elsewhere(apart, server, service):
    server.stop()
    write(apart, 1, "Still wanted", "http://www.google.co.uk")
    with back(apart, server):
        service.delete("Google")
    online(apart)
    expect_status(apart, "1 conflict")
    assert service.slots[0] == (0, "Still wanted")
    go(apart, "sync")
    expect(apart.get_by_text("“Still wanted” is back")).to_be_visible()
    apart.get_by_role("button", name="Delete it after all").click()
    expect_status(apart, "In step")
    assert service.slots == [(1, ".NET 247"), (2, "Topaz Filer")]


# covers: SB-W05
def test_a_deletion_takes_only_the_version_that_was_seen(apart, server, service):
    server.stop()
    go(apart, "configure")
    apart.get_by_role("button", name="Delete Google").click()
    expect_status(apart, "Offline, 1 waiting")
    with back(apart, server):
        service.change("Google", Name="Changed meanwhile")
    online(apart)
    expect_status(apart, "1 conflict")
    assert service.slots[0] == (0, "Changed meanwhile")
    go(apart, "sync")
    apart.get_by_role("button", name="Delete it after all").click()
    expect_status(apart, "In step")
    assert service.slots == [(1, ".NET 247"), (2, "Topaz Filer")]


# covers: SB-W05 SB-W04
def test_a_deletion_takes_nothing_that_another_device_put_in_the_place(apart, server, service):
    server.stop()
    go(apart, "configure")
    apart.get_by_role("button", name="Delete Google").click()
    expect_status(apart, "Offline, 1 waiting")
    with back(apart, server):
        service.delete("Google")
        service.add("Another", "https://another.example/", 0)
    online(apart)
    expect_status(apart, "In step")
    assert service.slots[0] == (0, "Another")


# covers: SB-W07 SB-W32 SB-F045
def test_two_devices_that_take_one_place_keep_both_bookmarks(apart, server, service):
    server.stop()
    write(apart, 4, "Mine", "https://mine.example/")
    with back(apart, server):
        service.add("Theirs", "https://theirs.example/", 3)
    online(apart)
    expect_status(apart, "1 conflict")
    assert service.slots[3:] == [(3, "Theirs"), (4, "Mine")]
    go(apart, "sync")
    expect(apart.get_by_text("“Mine” moved to place 5")).to_be_visible()
    expect(apart.get_by_text("Another device took place 4 first.")).to_be_visible()
    apart.get_by_role("button", name="All right").click()
    expect_status(apart, "In step")


# covers: SB-W32 SB-W07
def test_when_all_six_are_taken_the_seventh_waits_for_a_word(apart, server, service):
    server.stop()
    write(apart, 4, "Mine", "https://mine.example/")
    with back(apart, server):
        for place in (3, 4, 5):
            service.add(f"Theirs {place}", "https://theirs.example/", place)
    online(apart)
    expect_status(apart, "1 refused")
    assert len(service.slots) == 6
    go(apart, "sync")
    expect(apart.get_by_text("All six places are taken; another device took the last one.")).to_be_visible()
    # It is still in sight here.
    go(apart, "configure")
    expect(apart.get_by_role("heading", name="Without a place")).to_be_visible()
    apart.get_by_role("button", name="Delete Theirs 4").click()
    go(apart, "sync")
    apart.get_by_role("button", name="Try again").click()
    expect(apart.get_by_text("“Mine” moved to place 5")).to_be_visible()
    expect_status(apart, "1 conflict")
    assert service.slots[4] == (4, "Mine")


# covers: SB-W15
def test_what_is_refused_can_be_discarded_and_holds_up_nothing(apart, server, service):
    server.stop()
    write(apart, 4, "Mine", "https://mine.example/")
    write(apart, 1, "Renamed", "http://www.google.co.uk")
    with back(apart, server):
        for place in (3, 4, 5):
            service.add(f"Theirs {place}", "https://theirs.example/", place)
    online(apart)
    expect_status(apart, "1 refused")
    assert service.slots[0] == (0, "Renamed")
    go(apart, "sync")
    apart.get_by_role("button", name="Discard my change").click()
    expect_status(apart, "In step")
    go(apart, "")
    expect_names(apart, "Renamed", ".NET 247", "Topaz Filer", "Theirs 3", "Theirs 4", "Theirs 5")


# covers: SB-W08 SB-W03
def test_a_move_and_a_change_elsewhere_merge(apart, server, service):
    server.stop()
    go(apart, "configure")
    apart.get_by_role("button", name="Move Google, place 1").press("Enter")
    apart.keyboard.press("ArrowDown")
    apart.keyboard.press("Enter")
    expect_status(apart, "Offline, 1 waiting")
    with back(apart, server):
        service.change("Google", Name="Renamed")
    online(apart)
    expect_status(apart, "In step")
    assert service.slots == [(0, ".NET 247"), (1, "Renamed"), (2, "Topaz Filer")]


# covers: SB-F111 SB-F109
def test_what_comes_in_while_the_editor_is_open_is_not_lost(browser, server, service):
    page = sign_in(browser.page(), server)
    go(page, "edit/1")
    page.get_by_label("Name").fill("Typed slowly")
    with reading(page, "Came in"):
        service.change("Google", Name="Came in")
    expect_status(page, "In step")
    expect(page.get_by_label("Name")).to_have_value("Typed slowly")
    page.get_by_role("button", name="Save bookmark").click()
    expect_status(page, "1 conflict")
    assert service.slots[0] == (0, "Typed slowly")
    go(page, "sync")
    page.get_by_role("button", name="Bring theirs back").click()
    expect_status(page, "In step")
    assert service.slots[0] == (0, "Came in")


# covers: SB-W36 SB-W01
def test_a_bookmark_keeps_its_identity_when_the_service_gives_it_a_key(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    write(page, 4, "New", "https://new.example/")
    key = page.locator("[data-place='3']").get_attribute("data-key")
    server.start()
    online(page)
    expect_status(page, "In step")
    expect(page.locator("[data-place='3']")).to_have_attribute("data-key", key)
    page.reload()
    expect(page.locator("[data-place='3']")).to_have_attribute("data-key", key)
    service.change("New", Name="Newer")
    expect(page.locator("[data-place='3'] .name")).to_have_text("Newer")
    expect(page.locator("[data-place='3']")).to_have_attribute("data-key", key)


# covers: SB-F037
def test_two_users_never_see_each_other(browser, server):
    ada = sign_in(browser.page(), server, "ada")
    grace = sign_in(browser.page(), server, "grace")
    write(ada, 4, "Ada's own", "https://ada.example/")
    expect_status(ada, "In step")
    go(grace, "sync")
    grace.get_by_role("button", name="Sync now").click()
    expect(grace.locator("#live")).to_have_text("Synced. In step.")
    go(grace, "")
    expect(names(grace)).to_have_text(["Google", ".NET 247", "Topaz Filer", "…", "…", "…"])
