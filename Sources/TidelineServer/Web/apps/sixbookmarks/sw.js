// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Keeps the app's own files, so that it starts with no server.
 *
 * Only the files of this list, those that another app has too among them: what the service answers at /odata and /auth is
 * never kept here.
 */

/** The first twelve digits of SHA-256 over the files below; `script/pages --version` writes it. */
const VERSION = "aea086b46a4c";
const CACHE = `sixbookmarks-${VERSION}`;
const HOME = "/apps/sixbookmarks/";
const FILES = [
    "../common/busy-button.js",
    "../common/dom.js",
    "../common/drafts.js",
    "../common/form.js",
    "../common/generations.js",
    "../common/identifiers.js",
    "../common/leases.js",
    "../common/locks.js",
    "../common/session-copies.js",
    "../common/start.js",
    "app.css",
    "app.js",
    "data/database.js",
    "data/drafts.js",
    "data/session.js",
    "data/updates.js",
    "icon.svg",
    "index.html",
    "manifest.webmanifest",
    "model/conflicts.js",
    "model/fields.js",
    "model/groups.js",
    "model/identifiers.js",
    "model/outbox.js",
    "model/person.js",
    "model/rebase.js",
    "model/received.js",
    "model/replay.js",
    "model/settle.js",
    "model/slots.js",
    "model/verdicts.js",
    "model/words.js",
    "net/events.js",
    "net/service.js",
    "net/tabs.js",
    "sync/device.js",
    "sync/engine.js",
    "sync/schedule.js",
    "sync/status.js",
    "views/about.js",
    "views/configure.js",
    "views/dom.js",
    "views/editor.js",
    "views/form.js",
    "views/icons.js",
    "views/keys.js",
    "views/missing.js",
    "views/navigator.js",
    "views/register.js",
    "views/reorder.js",
    "views/shell.js",
    "views/sign-in.js",
    "views/sync-sheet.js",
];
/** Their paths. */
const KEPT = FILES.map((name) => new URL(name, location.href).pathname);
/** Of the whole server; they may change without the app, so the newest is fetched when there is a connection. */
const SHARED = ["/assets/tideline.css", "/assets/tideline.svg"];

self.addEventListener("install", (event) => {
    event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
    event.waitUntil(activate());
});

self.addEventListener("message", (event) => {
    if (event.data === "claim") event.waitUntil(self.clients.claim());
    if (event.data === "activate") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== location.origin) return;
    if (SHARED.includes(url.pathname)) {
        event.respondWith(newest(event, url.pathname));
    } else if (url.pathname === HOME || event.request.mode === "navigate") {
        if (url.pathname === HOME || url.pathname === HOME + "index.html") event.respondWith(kept(HOME));
    } else if (KEPT.includes(url.pathname)) {
        event.respondWith(kept(url.pathname));
    }
});

/** All files of this version or none: an app of two versions would be none. */
async function install() {
    const cache = await caches.open(CACHE);
    const wanted = [HOME, ...KEPT.filter((path) => path !== HOME + "index.html"), ...SHARED];
    await cache.addAll(wanted.map((path) => new Request(path, { cache: "reload" })));
}

async function activate() {
    for (const name of await caches.keys()) {
        if (name.startsWith("sixbookmarks-") && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
}

async function kept(path) {
    const cache = await caches.open(CACHE);
    return (await cache.match(path)) ?? fetch(path);
}

/** What is kept, at once; the newest for the next time. */
async function newest(event, path) {
    const cache = await caches.open(CACHE);
    const fetched = fetch(path, { cache: "no-cache" }).then(async (response) => {
        if (response.ok) await cache.put(path, response.clone());
        return response;
    });
    const old = await cache.match(path);
    if (old === undefined) return fetched;
    event.waitUntil(fetched.catch(() => {}));
    return old;
}
