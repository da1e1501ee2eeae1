# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The service worker: it takes over every page, and a newer app waits for a word."""

import contextlib
import functools
import http.server
import pathlib
import shutil
import threading

import version
from app import CONTROLLED, expect_names, expect_status, go, kept_by_service_worker, sign_in
from playwright.sync_api import expect

NEWER = "000000000000"
BEFORE = "ffffffffffff"
CACHES = "async () => (await caches.keys()).sort()"


# covers: SB-F112
def test_a_page_that_was_loaded_past_the_worker_is_taken_over_too(browser, server):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    kept_by_service_worker(page)
    # As with Shift and reload: the worker is there, active, and passes this page by.
    context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    assert page.evaluate(CONTROLLED, 60_000)


# covers: SB-F112
def test_pages_that_load_while_the_worker_starts_are_taken_over(browser, server):
    context = browser.context()
    page = browser.page(context)
    for _ in range(12):
        page.goto(server.app)
    assert page.evaluate(CONTROLLED, 60_000)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


# covers: SB-F112
def test_a_newer_app_waits_for_a_word_and_is_whole_then(browser, server, tmp_path):
    context = browser.context()
    page = sign_in(browser.page(context), server)
    kept_by_service_worker(page)
    old = f"sixbookmarks-{version.version()}"
    assert page.evaluate(CACHES) == [old]
    server.stop()
    server.binary = newer_than(server.binary, tmp_path / "tideline-newer")
    server.start()
    page.reload()
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    offer = page.get_by_text("A newer Six Bookmarks is here.")
    expect(offer).to_be_visible(timeout=60_000)
    # Nothing of it is used yet, and it is offered again to who has let it be.
    assert old in page.evaluate(CACHES)
    page.get_by_role("button", name="Close this message").click()
    other = browser.page(context)
    other.goto(server.app)
    expect(other.get_by_text("A newer Six Bookmarks is here.")).to_be_visible()
    # The page that asked loads itself anew when the newer app is there: what is looked at next is that one.
    with other.expect_navigation():
        other.get_by_role("button", name="Load it").click()
    other.wait_for_function("async (name) => (await caches.keys()).join() === name", arg=f"sixbookmarks-{NEWER}")
    expect(other.get_by_text("A newer Six Bookmarks is here.")).to_have_count(0)
    expect_names(other, "Google", ".NET 247", "Topaz Filer")
    assert other.evaluate(CACHES) == [f"sixbookmarks-{NEWER}"]
    # The other tab still has the old one, and is told.
    expect(offer).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    expect_status(page, "In step")
    expect(offer).to_have_count(0)


# covers: SB-F112
def test_what_is_typed_when_a_newer_app_is_loaded_is_there_again(browser, server, service):
    page = sign_in(browser.page(), server)
    go(page, "edit/1")
    page.get_by_label("Name").fill("Typed and not saved")
    page.get_by_label("Address").fill("not finished")
    # Another tab has let the newer one in; a page that had no worker before takes the first one for its own.
    page.evaluate("for (let time = 0; time < 2; time += 1) navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    expect(page.get_by_label("Name")).to_have_value("Typed and not saved")
    expect(page.get_by_label("Address")).to_have_value("not finished")
    # It is there once, and is no draft for ever.
    page.get_by_role("link", name="Cancel").click()
    go(page, "edit/1")
    expect(page.get_by_label("Name")).to_have_value("Google")
    assert page.evaluate("sessionStorage.getItem('sixbookmarks.unsaved')") is None


# covers: SB-F112
def test_an_app_whose_files_lay_elsewhere_is_followed_by_this_one(browser, server, tmp_path):
    context = browser.context()
    pages = [browser.page(context), browser.page(context)]
    server.stop()
    with before(server.port, tmp_path / "before"):
        for page in pages:
            page.goto(server.app)
            kept_by_service_worker(page)
        # Its worker has all that it needs, where it lay then.
        assert pages[0].evaluate(CACHES) == [f"sixbookmarks-{BEFORE}"]
        assert pages[0].evaluate("async () => (await caches.match('/apps/sixbookmarks/locks.js')) !== undefined")
    for page in pages:
        page.reload()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    server.start()
    for page in pages:
        page.reload()
        expect(page.get_by_text("A newer Six Bookmarks is here.")).to_be_visible(timeout=60_000)
    for page in pages:
        with page.expect_navigation():
            page.get_by_role("button", name="Load it").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        page.wait_for_function("async (name) => (await caches.keys()).join() === name", arg=f"sixbookmarks-{version.version()}")
    sign_in(pages[0], server)
    server.stop()
    pages[1].reload()
    expect_names(pages[1], "Google", ".NET 247", "Topaz Filer")
    expect_status(pages[1], "Offline")


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of a folder, which browsers ask for each time, as the server says them to."""

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        """Nothing: what is asked for is no matter of the test's output."""


@contextlib.contextmanager
def before(port, folder):
    """An app of another version on a port, with no service behind it: what it has in common with Fishing lies in its own folder."""
    shutil.copytree(version.APP.parent.parent, folder)
    app = folder / "apps" / "sixbookmarks"
    for path in (folder / "apps" / "common").iterdir():
        path.rename(app / path.name)
    for path in [*app.rglob("*.js"), app / "index.html"]:
        text = path.read_text(encoding="utf-8").replace(version.version(), BEFORE)
        for there, here in (("../../common/", "../"), ("../common/", "./"), ("/apps/common/", "")):
            text = text.replace(there, here)
        path.write_text(text, encoding="utf-8")
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Files, directory=folder)) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield
        running.shutdown()
        thread.join()


def newer_than(binary, path):
    """A copy of the program with another version of the app in it."""
    data = pathlib.Path(binary).read_bytes()
    assert version.version().encode() in data, "the program has another app in it than the sources"
    path.write_bytes(data.replace(version.version().encode(), NEWER.encode()))
    path.chmod(0o755)
    return str(path)
