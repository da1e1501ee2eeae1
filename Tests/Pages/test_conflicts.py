# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The app's log of conflicts: it keeps each, and no sign-out takes one away unasked."""

import pytest
from app import back, expect_status, go, sign_in, write
from playwright.sync_api import expect

GOOGLE = "http://www.google.co.uk"


@pytest.fixture
def page(browser, server):
    return sign_in(browser.page(), server)


def lose(page, server, service, mine, theirs):
    """Makes a name of this device lose against one of another."""
    server.stop()
    page.evaluate("dispatchEvent(new Event('focus'))")
    write(page, 1, mine, GOOGLE)
    with back(page, server):
        service.change(service.bookmarks[0]["Name"], Name=theirs)
    page.evaluate("dispatchEvent(new Event('online'))")


# covers: SB-W03 SB-W33
def test_the_second_conflict_of_a_property_leaves_the_first_in_the_log(page, server, service):
    lose(page, server, service, "Mine, first", "Theirs, first")
    expect_status(page, "1 conflict")
    lose(page, server, service, "Mine, second", "Theirs, second")
    expect_status(page, "2 conflicts")
    go(page, "sync")
    expect(page.get_by_role("definition")).to_have_text(["Mine, second", "Theirs, second", "Mine, first", "Theirs, first"])
    page.get_by_role("button", name="Use mine").last.click()
    expect_status(page, "1 conflict")
    assert service.slots[0] == (0, "Mine, first")


# covers: SB-W33
def test_what_the_log_has_no_room_for_is_told(page):
    fill = """async () => {
        const [{ name }] = (await indexedDB.databases()).filter((each) => /^sixbookmarks-.{36}$/.test(each.name));
        const database = await new Promise((resolve) => (indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result)));
        const entry = (at) => ({ id: `e${at}`, at, kind: "value", key: "b1", name: "Google", property: "Name", mine: `mine ${at}`, theirs: "theirs" });
        const { record } = await import("/apps/sixbookmarks/model/conflicts.js");
        const entries = [...Array(1002).keys()].map(entry);
        const transaction = database.transaction(["conflicts", "meta"], "readwrite");
        const meta = transaction.objectStore("meta").get("meta");
        meta.onsuccess = () => {
            const after = record({ conflicts: [], meta: meta.result }, entries);
            for (const each of after.conflicts) transaction.objectStore("conflicts").put(each);
            transaction.objectStore("meta").put(after.meta, "meta");
        };
        await new Promise((resolve, reject) => Object.assign(transaction, { oncomplete: resolve, onabort: reject }));
        database.close();
    }"""
    page.evaluate(fill)
    page.reload()
    expect_status(page, "1000 conflicts")
    go(page, "sync")
    note = page.get_by_text("The 2 oldest conflicts are no longer kept: this device keeps 1,000.")
    expect(note).to_be_visible()
    page.locator(".note").get_by_role("button", name="All right").click()
    expect(note).to_have_count(0)
    expect_status(page, "1000 conflicts")


# covers: SB-W33 SB-F133
def test_who_signs_out_is_asked_before_a_conflict_goes(page, server, service):
    lose(page, server, service, "Mine", "Theirs")
    expect_status(page, "1 conflict")
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="1 conflict is not settled")
    expect(dialog).to_contain_text("what lost in a conflict: it is kept nowhere else.")
    dialog.get_by_role("button", name="Look at it first").click()
    expect(page.get_by_text("Two devices changed the name of “Theirs”")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out and delete it").click()
    expect(page.get_by_text("You are signed out. Nothing of yours is left on this device.")).to_be_visible()
