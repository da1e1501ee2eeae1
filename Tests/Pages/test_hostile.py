# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What another program may have stored, and what a service may answer, to do harm."""

import json

import pytest
from app import expect_names, expect_status, go, names, sign_in, write
from playwright.sync_api import expect

HOSTILE = [
    "<script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title = 'owned'\">",
    "\"><svg onload=alert(1)>",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202egnp.exe\u0007\u200b",
]


# covers: SB-S10 SB-F160
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_text_and_nothing_else(browser, server, service, name):
    service.change("Google", Name=name)
    page = sign_in(browser.page(), server)
    expect(names(page).first).to_have_text(name.strip())
    for view in ("configure", "edit/1", "sync"):
        go(page, view)
        assert page.evaluate("() => document.querySelectorAll('main script, main img, main svg:not(.icon)').length") == 0
    assert "owned" not in page.title()


# covers: SB-S10
@pytest.mark.parametrize(
    "url",
    ["javascript:document.title='owned'", " JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "file:///etc/passwd", "vbscript:x", "//", "", "https://"],
)
def test_an_address_that_is_none_of_the_web_is_never_opened(browser, server, url):
    # The service itself takes no such address: another program wrote it to the database.
    server.sql("UPDATE Bookmarks SET Url = ? WHERE Name = 'Google'", url)
    page = sign_in(browser.page(), server)
    button = page.locator(".place").first
    expect(button).to_have_attribute("href", "#/edit/1")
    expect(button).to_contain_text("Not opened")
    assert page.locator("a[target=_blank]").count() == 2
    button.click()
    expect(page.get_by_role("heading", name="Edit bookmark")).to_be_visible()
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("alert")).to_be_visible()


# covers: SB-F140 SB-W31
@pytest.mark.parametrize("name", ["   ", "", None], ids=["blanks", "empty", "null"])
def test_a_bookmark_without_a_name_can_be_read_and_chosen(browser, server, name):
    server.sql("UPDATE Bookmarks SET Name = ? WHERE Name = 'Google'", name)
    page = sign_in(browser.page(), server)
    go(page, "configure")
    expect(page.get_by_role("button", name="Delete (no name)")).to_be_visible()
    page.locator(".words .name").filter(has_text="(no name)").click()
    expect(page.get_by_role("heading", name="Edit bookmark")).to_be_visible()


# covers: SB-F150
@pytest.mark.parametrize("address", ["#/edit/%", "#/edit/%zz"])
def test_an_address_that_is_not_encoded_leaves_no_empty_page(browser, server, address):
    page = sign_in(browser.page(), server)
    page.goto(server.app + address)
    page.reload()
    expect(page.get_by_role("heading", name="No such bookmark")).to_be_visible()


# covers: SB-W30
def test_a_service_that_answers_nonsense_breaks_nothing(browser, server):
    page = browser.page()

    def answer(route):
        rows = [
            {"BookmarkId": 1, "UserId": 1001, "Name": "In place", "Url": "https://one.example/", "Ordinal": 0},
            {"BookmarkId": 2, "UserId": 1001, "Name": "Same place", "Url": "https://two.example/", "Ordinal": 0},
            {"BookmarkId": 3, "UserId": 1001, "Name": "Nowhere", "Url": "https://three.example/", "Ordinal": 77},
            {"BookmarkId": 4, "UserId": 1001, "Name": None, "Url": None, "Ordinal": -1},
            {"BookmarkId": 5, "UserId": 1001, "Name": "n" * 10_240, "Url": "https://five.example/", "Ordinal": 5, "Later": {"a": [1]}},
        ]
        body = {"value": rows, "@deltaLink": "Bookmarks?$deltatoken=x"}
        route.fulfill(body=json.dumps(body), content_type="application/json")

    page.route("**/odata/**/Bookmarks", answer)
    page.route("**/odata/**/Bookmarks?*", lambda route: route.fulfill(body='{"value":[],"@deltaLink":"Bookmarks?$deltatoken=x"}', content_type="application/json"))
    page.route("**/$events", lambda route: route.abort())
    browser.allow("ERR_FAILED")
    sign_in(page, server)
    expect(names(page).first).to_have_text("In place")
    expect(page.get_by_text("3 more bookmarks have no place.")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    go(page, "configure")
    expect(page.get_by_role("heading", name="Without a place")).to_be_visible()
    expect(page.get_by_text("Same place")).to_be_visible()
    expect(page.get_by_role("button", name="Move to place 2")).to_have_count(3)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# covers: SB-S03 SB-W18 SB-W19
@pytest.mark.parametrize("body", ["", "<html>Bad gateway</html>", "null", '{"value": 7}', "[]"])
def test_an_answer_that_is_none_ends_in_words_and_loses_nothing(browser, server, body):
    page = sign_in(browser.page(), server)
    go(page, "sync")
    page.route("**/Bookmarks?*deltatoken*", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "Sync failed")
    expect(page.get_by_text("It is tried again by itself.")).to_be_visible()
    go(page, "")
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    page.unroute("**/Bookmarks?*deltatoken*")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")


# covers: SB-F094 SB-W16
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_with_the_same_bytes(browser, server, service, status):
    browser.allow(f"status of {status}")
    page = sign_in(browser.page(), server)
    bodies = []

    def busy(route):
        bodies.append(route.request.post_data)
        if len(bodies) == 1:
            route.fulfill(status=status, headers={"Retry-After": "1"}, body='{"error":{"code":"Busy","message":"Later."}}')
        else:
            route.continue_()

    page.route("**/$batch", busy)
    write(page, 4, "Patient", "patient.example")
    expect(page.locator("#status")).to_have_text("In step")
    assert bodies[0] == bodies[1]
    assert (3, "Patient") in service.slots


# covers: SB-F093 SB-S04
def test_a_refusal_is_shown_with_its_reason_and_its_code(browser, server, service):
    page = sign_in(browser.page(), server)

    def refuse(route):
        request = route.request.post_data_json["requests"][0]
        error = {"error": {"code": "NotToday", "message": "No changes on <b>Mondays</b>."}}
        answer = {"responses": [{"id": request["id"], "status": 403, "headers": {}, "body": error}]}
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/$batch", refuse)
    go(page, "edit/1")
    page.get_by_label("Name").fill("Refused")
    page.get_by_role("button", name="Save bookmark").click()
    expect_status(page, "1 refused")
    expect(page.get_by_role("link", name="Edit Refused")).to_contain_text("Refused")
    go(page, "sync")
    expect(page.get_by_text("No changes on <b>Mondays</b>.")).to_be_visible()
    expect(page.get_by_text("NotToday")).to_be_visible()
    page.unroute("**/$batch")
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "In step")
    assert service.slots[0] == (0, "Refused")


# covers: SB-W15 SB-W16
def test_a_batch_that_is_refused_whole_goes_to_the_quarantine_and_not_round_for_ever(browser, server, service):
    browser.allow("status of 413")
    page = sign_in(browser.page(), server)
    error = json.dumps({"error": {"code": "BodyTooLarge", "message": "The body is too large."}})
    page.route("**/$batch", lambda route: route.fulfill(status=413, body=error, content_type="application/json"))
    write(page, 4, "Too much", "much.example")
    expect_status(page, "1 refused")
    page.unroute("**/$batch")
    go(page, "sync")
    expect(page.get_by_text("The body is too large.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect_status(page, "In step")
    assert (3, "Too much") in service.slots


# covers: SB-F095
def test_a_browser_that_stores_nothing_is_told_so(browser, server):
    page = browser.page()
    page.add_init_script("indexedDB.open = () => { throw new DOMException('denied', 'SecurityError'); };")
    page.goto(server.app)
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("tide-and-time-1")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("does not let the app store anything")).to_be_visible()


# covers: SB-F160
def test_the_pages_policy_lets_no_script_in(browser, server):
    page = browser.page()
    answer = page.goto(server.app)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy
    browser.allow("Content Security Policy")
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'owned'";
        document.body.append(script);
    }""")
    assert page.title() != "owned"
