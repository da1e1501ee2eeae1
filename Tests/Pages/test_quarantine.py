# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What the service refused, and what becomes of it: it comes back over nothing that is newer, and is not lost."""

import json

import pytest
from app import back, expect_names, expect_status, go, reading, refuse, sign_in, take, until, write
from playwright.sync_api import expect

GOOGLE = "http://www.google.co.uk"


@pytest.fixture
def page(browser, server):
    return sign_in(browser.page(), server)


def refused_name(page):
    """A name of the first bookmark that the service refused."""
    refuse(page)
    write(page, 1, "Mine", GOOGLE)
    expect_status(page, "1 refused")
    take(page)


def arrives(page, text, change):
    """Makes a change on another device, and waits until this one has read the text that it writes."""
    with reading(page, text):
        change()
    expect_status(page, "1 refused")


# covers: SB-W15 SB-W03
def test_try_again_does_not_write_over_what_another_device_wrote_since(page, service):
    refused_name(page)
    arrives(page, "Theirs", lambda: service.change("Google", Name="Theirs"))
    go(page, "sync")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "1 conflict")
    expect(page.get_by_text("Two devices changed the name of “Theirs”")).to_be_visible()
    expect(page.get_by_role("definition")).to_have_text(["Mine", "Theirs"])
    assert service.slots[0] == (0, "Theirs")
    page.get_by_role("button", name="Use mine").click()
    expect_status(page, "In step")
    assert service.slots[0] == (0, "Mine")


# covers: SB-W15 SB-W03
def test_an_edit_over_a_refused_one_does_not_write_over_what_another_device_wrote_since(page, service):
    refused_name(page)
    arrives(page, "Theirs", lambda: service.change("Google", Name="Theirs"))
    write(page, 1, "Mine", "https://mine.example/")
    expect_status(page, "1 conflict")
    row = service.row("Theirs")
    assert (row["Ordinal"], row["Url"]) == (0, "https://mine.example/")
    go(page, "sync")
    expect(page.get_by_role("definition")).to_have_text(["Mine", "Theirs"])


# covers: SB-W15
def test_an_edit_of_what_another_device_wrote_and_was_seen_is_no_conflict(page, service):
    refused_name(page)
    arrives(page, "theirs.example", lambda: service.change("Google", Url="https://theirs.example/"))
    write(page, 1, "Mine", "https://mine.example/")
    expect_status(page, "In step")
    row = service.row("Mine")
    assert (row["Ordinal"], row["Url"]) == (0, "https://mine.example/")


# covers: SB-W15 SB-W09
def test_a_refused_deletion_that_is_tried_again_deletes_nothing_that_was_changed_since(page, service):
    refuse(page)
    go(page, "configure")
    page.get_by_role("button", name="Delete Google").click()
    expect_status(page, "1 refused")
    take(page)
    arrives(page, "Theirs", lambda: service.change("Google", Name="Theirs"))
    go(page, "sync")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "1 conflict")
    expect(page.get_by_text("“Theirs” is still there")).to_be_visible()
    assert service.slots[0] == (0, "Theirs")


# covers: SB-W15 SB-W09
def test_a_refused_edit_that_is_tried_again_brings_back_what_was_deleted_since(page, service):
    refused_name(page)
    arrives(page, "removed", lambda: service.delete("Google"))
    go(page, "sync")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "1 conflict")
    expect(page.get_by_text("“Mine” is back")).to_be_visible()
    assert service.slots[0] == (0, "Mine")


# covers: SB-W15
def test_an_older_write_that_is_refused_does_not_come_over_a_newer_one(page, service):
    held = []
    page.route("**/$batch", lambda route: held.append(route) if not held else route.continue_())
    with page.expect_request("**/$batch"):
        write(page, 1, "Old", "https://old.example/")
    write(page, 1, "New", GOOGLE)
    error = {"error": {"code": "BrokenRule", "message": "A rule refuses this."}}
    answer = {"responses": [{"id": held[0].request.post_data_json["requests"][0]["id"], "status": 400, "body": error}]}
    held[0].fulfill(status=200, body=json.dumps(answer), content_type="application/json")
    # The address was written anew too, back to what it was: nothing of the old write is left.
    expect_status(page, "In step")
    go(page, "")
    expect_names(page, "New", ".NET 247", "Topaz Filer")
    row = service.row("New")
    assert (row["Ordinal"], row["Url"]) == (0, GOOGLE)


# covers: SB-W15 SB-F142
def test_the_undo_of_a_deletion_brings_a_refused_edit_back(page, server, service):
    refused_name(page)
    server.stop()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect_status(page, "Offline")
    go(page, "configure")
    page.get_by_role("button", name="Delete Mine").click()
    expect_status(page, "Offline, 1 waiting")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".row .name").first).to_have_text("Mine")
    expect(page.locator(".row").first).to_contain_text("Refused")
    server.start()
    go(page, "sync")
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "1 refused")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "In step")
    assert service.slots[0] == (0, "Mine")


# covers: SB-W15 SB-F142
def test_the_undo_of_a_deletion_brings_an_edit_back_that_was_refused_after_it(browser, page, server, service):
    server.stop()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect_status(page, "Offline")
    write(page, 1, "Mine", GOOGLE)
    write(page, 2, "Fine two", "https://two.example/")
    held = []
    with back(page, server):
        page.route("**/$batch", lambda route: held.append(route))
    # The page may have tried by itself a moment before.
    if not held:
        page.evaluate("dispatchEvent(new Event('focus'))")
    until(page, lambda: held)
    page.get_by_role("button", name="Delete Mine").click()
    expect(page.locator("#toast")).to_contain_text("is deleted")
    # The other transaction has no outcome yet, so the deletion waits.
    error = {"error": {"code": "BrokenRule", "message": "A rule refuses this."}}
    ids = [each["id"] for each in held[0].request.post_data_json["requests"]]
    responses = [{"id": each, "status": status, "body": error} for each, status in zip(ids, [400, 503])]
    held[0].fulfill(status=200, body=json.dumps({"responses": responses}), content_type="application/json")
    # Who deleted asked for a sync, which follows at once.
    until(page, lambda: len(held) == 2)
    expect(page.locator("#status")).to_have_text("2 waiting")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".row .name").first).to_have_text("Mine")
    expect(page.locator(".row").first).to_contain_text("Refused")
    for route in held[1:]:
        route.abort()
    take(page)
    go(page, "sync")
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "1 refused")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "In step")
    assert service.slots == [(0, "Mine"), (1, "Fine two"), (2, "Topaz Filer")]


# covers: SB-F142 SB-W09
def test_the_undo_of_a_deletion_that_has_lost_makes_no_second_bookmark(page, server, service):
    server.stop()
    page.evaluate("dispatchEvent(new Event('focus'))")
    go(page, "configure")
    page.get_by_role("button", name="Delete Google").click()
    expect_status(page, "Offline, 1 waiting")
    with back(page, server):
        service.change("Google", Name="Theirs")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect_status(page, "1 conflict")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_be_hidden()
    expect(page.locator("#live")).to_have_text("“Google” is back.")
    expect_status(page, "1 conflict")
    expect(page.locator(".row .name")).to_have_text(["Theirs", ".NET 247", "Topaz Filer"])
    assert service.slots == [(0, "Theirs"), (1, ".NET 247"), (2, "Topaz Filer")]


# covers: SB-W15
def test_one_transaction_that_the_service_cannot_read_keeps_no_other_one_back(browser, page, server, service):
    browser.allow("status of 400")
    server.stop()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect_status(page, "Offline")
    write(page, 1, "Unreadable", GOOGLE)
    write(page, 2, "Fine two", "https://two.example/")
    write(page, 4, "Fine four", "https://four.example/")
    # What one text does to a whole batch, such as one that is no JSON.
    body = json.dumps({"error": {"code": "InvalidBody", "message": "The body is not JSON."}})

    def answer(route):
        if "Unreadable" in route.request.post_data:
            route.fulfill(status=400, body=body, content_type="application/json")
        else:
            route.continue_()

    with back(page, server):
        page.route("**/$batch", answer)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect_status(page, "1 refused")
    assert service.slots == [(0, "Google"), (1, "Fine two"), (2, "Topaz Filer"), (3, "Fine four")]
    go(page, "sync")
    expect(page.locator(".entry.refused")).to_have_count(1)
    expect(page.locator(".entry.refused")).to_contain_text("The body is not JSON.")
