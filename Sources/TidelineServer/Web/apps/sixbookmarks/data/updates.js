// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The service worker, which keeps the app's own files, and what happens when there is a newer app. */

export async function followUpdates(offer) {
    if (!("serviceWorker" in navigator)) return;
    const hadOne = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
        if (hadOne) offer("A newer Six Bookmarks is here.", "Load it", () => location.reload());
    });
    try {
        await navigator.serviceWorker.register("sw.js");
    } catch {
        // Without it the app works as long as the server can be reached.
    }
}
