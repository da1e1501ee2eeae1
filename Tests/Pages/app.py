# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What the tests of Six Bookmarks do: pages that are watched, and a client of the service that is no browser."""

import contextlib
import json
import re
import urllib.error
import urllib.request

from playwright.sync_api import Error, expect

PASSWORDS = {"ada": "tide-and-time-1", "grace": "tide-and-time-2"}
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
# The narrowest that pages are made for, and what 1280 pixels are at 400 %. Source: WCAG 2.2, success criterion 1.4.10.
NARROW = {"width": 320, "height": 568}


# Whether a service worker has the page, at the latest after some milliseconds.
CONTROLLED = """(limit) => new Promise((resolve) => {
    const container = navigator.serviceWorker;
    container.addEventListener("controllerchange", () => resolve(true), { once: true });
    if (container.controller) resolve(true);
    setTimeout(() => resolve(false), limit);
})"""

# Changes the part of the address after #, until the page has heard of it.
GO = """hash => new Promise((resolve) => {
    if (location.hash === hash) return resolve();
    addEventListener("hashchange", () => resolve(), { once: true });
    location.hash = hash;
})"""

# A page that answers no other one while it is asleep, as one that the browser has frozen.
SLEEPY = """
const post = BroadcastChannel.prototype.postMessage;
BroadcastChannel.prototype.postMessage = function (message) { if (!globalThis.isAsleep) post.call(this, message); };
"""


class Browser:
    """Contexts of Chromium, each a device of its own; everything that goes wrong in one is kept."""

    def __init__(self, chromium, server):
        self.chromium = chromium
        self.server = server
        self.contexts = []
        self.complaints = []
        self.allowed = []

    def context(self, viewport=DESK, **options):
        """A new device: storage of its own."""
        context = self.chromium.new_context(viewport=viewport, **options)
        context.set_default_timeout(60_000)
        # No test leaves this machine; what a button opens is answered here.
        context.route(
            # A pattern is matched where requests are; a function would be asked over for each.
            re.compile(r"^https?://(?!127\.0\.0\.1[:/])"),
            lambda route: route.fulfill(body="<title>Elsewhere</title>", content_type="text/html"),
        )
        self.contexts.append(context)
        return context

    def page(self, context=None, **options):
        """A watched page of a device, of a new one where none is given."""
        page = (context or self.context(**options)).new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._request)
        return page

    def allow(self, pattern):
        """An error on the console that the test is about."""
        self.allowed.append(pattern)

    def finish(self):
        """Closes everything and fails when something was wrong."""
        for context in self.contexts:
            # What still answers a request then would end in an error of the next test.
            for each in (*context.pages, context):
                each.unroute_all(behavior="ignoreErrors")
            context.close()
        assert self.complaints == []

    def _console(self, message):
        if message.type not in ("error", "warning"):
            return
        # Chromium reports what does not answer; that is what a test that stops the server looks at. What it said while
        # the server was away may come here when it is back.
        if "net::ERR_" in message.text and self.server.was_stopped:
            return
        if not any(re.search(pattern, message.text) for pattern in self.allowed):
            self.complaints.append(f"{message.type}: {message.text}")

    def _request(self, request):
        if not request.url.startswith((self.server.address, "blob:", "data:")):
            self.complaints.append(f"a request to another host: {request.url}")


class Service:
    """A user of the service without a browser: another device."""

    def __init__(self, server, name, password):
        self.server = server
        answer = self.send("POST", "/auth/sixbookmarks/token", {"grant_type": "password", "username": name, "password": password})
        self.token = answer["access_token"]
        self.user = answer["user"]["id"]

    def send(self, method, path, body=None, **headers):
        """One request; returns the JSON of the answer, or None where it is empty."""
        fields = {"Content-Type": "application/json", "OData-MaxVersion": "4.01"}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        if hasattr(self, "token"):
            fields["Authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.address + path, data=data, headers=fields, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read().decode()
            return json.loads(text) if text else None

    @property
    def bookmarks(self):
        """All bookmarks, by place."""
        rows = self.send("GET", "/odata/sixbookmarks/Bookmarks?$orderby=Ordinal,BookmarkId")["value"]
        return rows

    @property
    def slots(self):
        """Place and name of each."""
        return [(row["Ordinal"], row["Name"]) for row in self.bookmarks]

    def row(self, name):
        """The bookmark of this name."""
        return next(row for row in self.bookmarks if row["Name"] == name)

    def change(self, name, **values):
        """Changes one."""
        self.send("PATCH", f"/odata/sixbookmarks/Bookmarks({self.row(name)['BookmarkId']})", values)

    def add(self, name, url, place):
        """Adds one."""
        body = {"UserId": self.user, "Name": name, "Url": url, "Ordinal": place}
        return self.send("POST", "/odata/sixbookmarks/Bookmarks", body)

    def delete(self, name):
        """Deletes one."""
        self.send("DELETE", f"/odata/sixbookmarks/Bookmarks({self.row(name)['BookmarkId']})")


def sign_in(page, server, name="ada", remember=True):
    """Opens the app, signs in and waits for the first load."""
    page.goto(server.app)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORDS[name])
    if not remember:
        page.get_by_label("Remember me").uncheck()
    page.get_by_role("button", name="Sign in").click()
    expect_status(page, "In step")
    return page


def expect_status(page, text):
    """Waits for the mark of sync, at rest."""
    expect(page.locator('#status[aria-busy="false"]')).to_have_text(text)


def names(page):
    """What the six buttons say, top to bottom."""
    return page.locator(".place .name")


def expect_names(page, *wanted):
    """Waits until the six buttons say this; the rest are empty."""
    expect(names(page)).to_have_text([*wanted, *["…"] * (6 - len(wanted))])


def until(page, condition):
    """Waits until something is so, a minute at most; the page goes on meanwhile."""
    for _ in range(3000):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("It did not come about within a minute.")


@contextlib.contextmanager
def reading(page, text):
    """Waits until the page was answered a text by a read that began since, or that goes on."""
    answers = []

    def note(response):
        if "deltatoken" in response.url:
            answers.append(response)

    def has(response):
        try:
            return text in response.text()
        except Error:
            return False  # The page gave it up.

    page.on("response", note)
    yield
    until(page, lambda: any(has(each) for each in answers))
    page.remove_listener("response", note)


def go(page, view):
    """Opens a view by its address."""
    page.evaluate(GO, "#/" + view)
    page.wait_for_function("() => document.activeElement?.tagName === 'H1'")


def write(page, place, name, url):
    """Fills in the editor of a place, 1 to 6, and saves."""
    go(page, f"edit/{place}")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Address").fill(url)
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()


@contextlib.contextmanager
def back(page, server):
    """The server again. The page tries by itself, too: what another device writes in the body comes before that, for such a
    try is cut, or waits until Playwright is asked for something else."""

    def cut(route):
        route.abort()

    page.route("**/$batch", cut)
    server.start()
    yield
    page.unroute("**/$batch", cut)


def refuse(page):
    """Refuses each transaction that a page sends, as a rule of the service does; the service has none of them."""

    def answer(route):
        body = {"error": {"code": "BrokenRule", "message": "A rule refuses this."}}
        ids = [each["id"] for each in route.request.post_data_json["requests"]]
        responses = [{"id": each, "status": 400 if place == 0 else 424, "headers": {}, "body": body} for place, each in enumerate(ids)]
        route.fulfill(status=200, body=json.dumps({"responses": responses}), content_type="application/json")

    page.route("**/$batch", answer)


def take(page):
    """Lets the service answer again."""
    page.unroute("**/$batch")


def kept_by_service_worker(page):
    """Waits until the app's files are kept, so that it starts without the server."""
    assert page.evaluate(CONTROLLED, 60_000)
