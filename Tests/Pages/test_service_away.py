# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The service's pages while its database is busy or away, and rows and sign-ins that nobody meant to change."""

import re
import sqlite3
import urllib.request

from access import check
from playwright.sync_api import expect
from service_pages import fill, open_page, press, problems, sign_in


# covers: SB-F006
def test_rows_that_nobody_touched_stay_as_another_program_stored_them(browser, server, service):
    server.sql("UPDATE Bookmarks SET Name = '  padded ' WHERE BookmarkId = 1001")
    server.sql("UPDATE Bookmarks SET Url = NULL WHERE BookmarkId = 1002")
    page = browser.page()
    sign_in(page, server)
    open_page(page, server, "users/1001/bookmarks")
    fill(page, name2="Third")
    press(page, "Save changes")
    expect(page.get_by_role("status")).to_contain_text("The bookmarks are saved.")
    assert [(row["Name"], row["Url"]) for row in service.bookmarks][:2] == [("  padded ", "http://www.google.co.uk"), (".NET 247", None)]
    assert service.slots[2] == (2, "Third")


def test_a_domain_that_is_away_is_told_as_that_and_what_was_typed_is_there_again(browser, server):
    browser.allow("status of 503")
    page = browser.page()
    sign_in(page, server)
    page.get_by_role("link", name="Add a new user").click()
    fill(page, Username="mary", Password="rising-tide")
    file = server.folder / "data" / "domains" / "sixbookmarks" / "domain.yaml"
    text = file.read_text()
    file.write_text("nonsense")
    press(page, "Add user")
    expect(page.get_by_role("heading", name="Not available now")).to_be_visible()
    check(page)
    assert open_page(page, server, "users").status == 503
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    file.write_text(text)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Users", exact=True)).to_be_visible()


def test_a_database_that_is_busy_is_told_and_what_was_typed_stays(browser, server):
    browser.allow("status of 503")
    page = browser.page()
    sign_in(page, server)
    open_page(page, server, "users/1001/bookmarks")
    fill(page, name0="Typed")
    other = sqlite3.connect(server.folder / "data" / "demo" / "sixbookmarks.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    press(page, "Save changes")
    expect(problems(page)).to_contain_text(["The service could not save this now. What you typed is still here"])
    expect(page.locator("[name=name0]")).to_have_value("Typed")
    other.execute("ROLLBACK")
    other.close()
    press(page, "Save changes")
    expect(page.get_by_role("status")).to_contain_text("The bookmarks are saved.")


def test_windows_that_are_loaded_at_once_have_one_sign_in_afterwards(browser, server):
    context = browser.context()
    page = browser.page(context)
    sign_in(page, server)
    cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    refresh = cookies["tideline_account"].split(".")[1]
    # Each window comes with the cookie whose access token has ended.
    fields = {"Cookie": f"tideline_account=ended.{refresh}; tideline_form={cookies['tideline_form']}"}
    given = set()
    for _ in range(3):
        request = urllib.request.Request(f"{server.address}/service/sixbookmarks/users", headers=fields)
        with urllib.request.urlopen(request, timeout=30) as answer:
            found = re.search("tideline_account=([^;]+)", str(answer.headers.get_all("Set-Cookie")))
            given.add(found.group(1))
    assert len(given) == 1
