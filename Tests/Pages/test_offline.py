# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Without the server, with a bad connection to it, and afterwards."""

import json

from app import back, expect_names, expect_status, go, kept_by_service_worker, names, sign_in, write
from playwright.sync_api import expect

OUTBOX = """async () => {
    const { database } = JSON.parse(localStorage.getItem("sixbookmarks.session"));
    const opened = await new Promise((resolve) => (indexedDB.open(database).onsuccess = (event) => resolve(event.target.result)));
    const found = await new Promise((resolve) => (opened.transaction("outbox").objectStore("outbox").getAll().onsuccess = (event) => resolve(event.target.result)));
    opened.close();
    return found;
}"""


# covers: SB-F112 SB-W17 SB-F110 SB-F100 SB-F106
def test_the_app_starts_and_works_without_the_server_and_syncs_when_it_is_back(browser, server, service):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    kept_by_service_worker(page)
    server.stop()
    page.reload()
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    expect_status(page, "Offline")
    write(page, 4, "Made offline", "https://offline.example/")
    write(page, 1, "Changed offline", "https://changed.example/")
    go(page, "configure")
    page.get_by_role("button", name="Delete .NET 247").click()
    expect_status(page, "Offline, 3 waiting")
    page.close()
    # A new tab, still without the server: nothing is lost.
    page = browser.page(context)
    page.goto(server.app)
    expect(names(page)).to_have_text(["Changed offline", "…", "Topaz Filer", "Made offline", "…", "…"])
    expect_status(page, "Offline, 3 waiting")
    server.start()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")
    assert service.slots == [(0, "Changed offline"), (2, "Topaz Filer"), (3, "Made offline")]
    expect(names(page)).to_have_text(["Changed offline", "…", "Topaz Filer", "Made offline", "…", "…"])


# covers: SB-F112 SB-W16
def test_it_tries_again_by_itself_when_the_server_is_back(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    write(page, 4, "Waits", "https://waits.example/")
    expect_status(page, "Offline, 1 waiting")
    server.start()
    expect(page.locator("#status")).to_have_text("In step", timeout=60_000)
    assert (3, "Waits") in service.slots


# covers: SB-W14 SB-W15 SB-F110
def test_a_lost_answer_makes_nothing_happen_twice(browser, server, service):
    browser.allow("ERR_FAILED")
    page = sign_in(browser.page(), server)
    bodies = []

    def lose(route):
        bodies.append(route.request.post_data)
        if len(bodies) == 1:
            # It arrives and is done; only the answer does not come back.
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/$batch", lose)
    write(page, 4, "Once", "https://once.example/")
    expect(page.locator("#status")).to_have_text("In step", timeout=20_000)
    assert bodies[1] == bodies[0]
    assert [slot for slot in service.slots if slot[1] == "Once"] == [(3, "Once")]
    expect_names(go_home(page), "Google", ".NET 247", "Topaz Filer", "Once")


# covers: SB-W14
def test_a_transaction_that_was_sent_keeps_its_bytes_over_a_restart_of_the_browser(browser, server, service):
    browser.allow("ERR_FAILED")
    context = browser.context()
    page = sign_in(browser.page(context), server)
    bodies = []

    def lose(route):
        bodies.append(route.request.post_data)
        route.fetch()
        route.abort()

    page.route("**/$batch", lose)
    write(page, 4, "Once", "https://once.example/")
    expect_status(page, "Offline, 1 waiting")
    frozen = page.evaluate(OUTBOX)[0]["frozen"]["bytes"]
    # An edit of what is under way is a transaction of its own.
    write(page, 4, "Once, edited", "https://once.example/")
    page.close()
    again = browser.page(context)
    again.on("request", lambda request: bodies.append(request.post_data) if request.url.endswith("$batch") else None)
    again.goto(server.app)
    expect_status(again, "In step")
    assert all(frozen in body for body in bodies[:2])
    assert json.loads(bodies[-1])["requests"][0]["method"] == "patch"
    assert [slot for slot in service.slots if slot[0] == 3] == [(3, "Once, edited")]


# covers: SB-W13 SB-F111
def test_an_edit_during_a_sync_survives_it(browser, server, service):
    page = sign_in(browser.page(), server)
    held = []
    page.route("**/$batch", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/$batch"):
        write(page, 1, "First", "https://first.example/")
    write(page, 1, "Second", "https://first.example/")
    expect(names(go_home(page)).first).to_have_text("Second")
    held[0].continue_()
    expect_status(page, "In step")
    assert service.slots[0] == (0, "Second")
    expect(names(page).first).to_have_text("Second")


# covers: SB-W20 SB-W33 SB-F115
def test_while_the_service_is_slow_the_app_goes_on_and_says_what_runs(browser, server, service):
    page = sign_in(browser.page(), server)
    held = []
    page.route("**/$batch", lambda route: route.continue_() if len(held) > 1 else held.append(route))
    with page.expect_request("**/$batch"):
        write(page, 4, "Sent slowly", "https://slow.example/")
    mark = page.locator("#status")
    expect(mark).to_have_attribute("aria-busy", "true")
    expect(mark).to_have_text("1 waiting")
    # Pictures go on being drawn, views open, and what is written is seen at once.
    frames = page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(2))))")
    assert frames == 2
    for view, title in [("about", "About Six Bookmarks"), ("sync", "Sync"), ("configure", "Configure bookmarks")]:
        go(page, view)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    write(page, 5, "Written meanwhile", "https://meanwhile.example/")
    expect(page.get_by_role("link", name="Edit Written meanwhile")).to_be_visible()
    expect(mark).to_have_attribute("aria-busy", "true")
    expect(mark).to_have_text("2 waiting")
    held.append(None)
    held[0].continue_()
    expect_status(page, "In step")
    assert [name for _, name in service.slots][3:] == ["Sent slowly", "Written meanwhile"]


# covers: SB-W11 SB-W12
def test_a_load_that_is_cut_leaves_the_old_bookmarks(browser, server, service):
    browser.allow("status of 410|ERR_FAILED")
    page = sign_in(browser.page(), server)
    go(page, "sync")
    page.route("**/$events", lambda route: route.abort())
    # The service takes its link back; the load that follows is cut.
    gone = json.dumps({"error": {"code": "DeltaLinkExpired", "message": "Load again."}})
    page.route("**/Bookmarks?*deltatoken*", lambda route: route.fulfill(status=410, body=gone, content_type="application/json"))
    page.route("**/Bookmarks", lambda route: route.abort())
    service.change("Google", Name="Newer")
    page.get_by_role("button", name="Sync now").click()
    expect_status(page, "Offline")
    expect_names(go_home(page), "Google", ".NET 247", "Topaz Filer")
    page.unroute("**/Bookmarks")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_names(page, "Newer", ".NET 247", "Topaz Filer")


# covers: SB-W10 SB-F113 SB-W25 SB-F102
def test_only_changes_travel_and_what_waits_travels_together(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    expect_status(page, "Offline")
    write(page, 1, "One", "https://one.example/")
    write(page, 2, "Two", "https://two.example/")
    write(page, 4, "Four", "https://four.example/")
    expect_status(page, "Offline, 3 waiting")
    seen = []
    with back(page, server):
        page.on("request", lambda request: seen.append((request.method, request.url.split("/sixbookmarks/")[1], request.post_data_json)) if "/odata/" in request.url and "$events" not in request.url else None)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")
    sent = [body for method, url, body in seen if (method, url) == ("POST", "$batch")]
    assert len(sent) == 1
    body = sent[0]
    assert [request["method"] for request in body["requests"]] == ["patch", "patch", "post"]
    assert len({request["atomicityGroup"] for request in body["requests"]}) == 3
    assert set(body["requests"][0]["body"]) == {"Name", "Url"}
    assert body["requests"][0]["headers"]["if-match"].startswith('W/"')
    assert all("deltatoken" in url for method, url, _ in seen if method == "GET")


# covers: SB-W10 SB-W25
def test_many_edits_of_one_bookmark_travel_as_one(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    expect_status(page, "Offline")
    for name in ("Once", "Twice", "Thrice"):
        write(page, 1, name, "https://one.example/")
    expect_status(page, "Offline, 1 waiting")
    bodies = []
    with back(page, server):
        page.on("request", lambda request: bodies.append(request.post_data_json) if request.url.endswith("$batch") else None)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")
    assert [[request["body"] for request in body["requests"]] for body in bodies] == [[{"Name": "Thrice", "Url": "https://one.example/"}]]
    assert service.slots[0] == (0, "Thrice")


# covers: SB-W06 SB-F108 SB-W04
def test_what_was_made_and_deleted_offline_is_never_sent_and_a_place_can_be_used_again(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    expect_status(page, "Offline")
    write(page, 4, "Short life", "https://short.example/")
    go(page, "configure")
    page.get_by_role("button", name="Delete Short life").click()
    page.get_by_role("button", name="Delete .NET 247").click()
    expect(page.get_by_role("button", name="Delete .NET 247")).to_have_count(0)
    write(page, 2, "New at two", "https://two.example/")
    bodies = []
    with back(page, server):
        page.on("request", lambda request: bodies.append(request.post_data) if request.url.endswith("$batch") else None)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(page, "In step")
    assert service.slots == [(0, "Google"), (1, "New at two"), (2, "Topaz Filer")]
    assert not any("Short life" in body for body in bodies)


# covers: SB-W22 SB-F115
def test_two_tabs_synchronise_one_at_a_time(browser, server, service):
    context = browser.context()
    one = sign_in(browser.page(context), server)
    two = browser.page(context)
    two.goto(server.app)
    expect_status(two, "In step")
    under_way = []
    most = []

    def started(request):
        if "/odata/" in request.url and "$events" not in request.url:
            under_way.append(request)
            most.append(len(under_way))

    def ended(request):
        if request in under_way:
            under_way.remove(request)

    for page in (one, two):
        page.on("request", started)
        page.on("requestfinished", ended)
        page.on("requestfailed", ended)
    write(one, 4, "From one", "https://one.example/")
    write(two, 5, "From two", "https://two.example/")
    one.evaluate("() => dispatchEvent(new Event('online'))")
    two.evaluate("() => dispatchEvent(new Event('online'))")
    expect_names(go_home(one), "Google", ".NET 247", "Topaz Filer", "From one", "From two")
    expect_names(go_home(two), "Google", ".NET 247", "Topaz Filer", "From one", "From two")
    expect_status(one, "In step")
    expect_status(two, "In step")
    assert max(most) == 1
    assert len(service.slots) == 5


# covers: SB-F160
def test_the_cache_holds_files_and_no_answers(browser, server):
    page = sign_in(browser.page(), server)
    kept_by_service_worker(page)
    kept = page.evaluate("""async () => {
        const found = [];
        for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
        return found;
    }""")
    assert {"/apps/sixbookmarks/app.js", "/apps/common/start.js", "/apps/common/locks.js"} <= set(kept)
    assert all(path.startswith(("/apps/sixbookmarks/", "/apps/common/", "/assets/")) for path in kept), kept


def go_home(page):
    go(page, "")
    return page
