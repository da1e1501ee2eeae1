// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The service worker, which keeps the app's own files, and what happens when there is a newer app. */

/** `offer` proposes a newer app to the person; `reload` loads it. */
export async function followUpdates(offer, reload) {
    if (!("serviceWorker" in navigator)) return;
    const container = navigator.serviceWorker;
    let hadOne = container.controller !== null;
    let isAsked = false;
    container.addEventListener("controllerchange", () => {
        if (isAsked) reload();
        // Another tab has let the newer one in: this page is of the old version.
        else if (hadOne) offer("A newer Six Bookmarks is here.", "Load it", reload);
        // The first one brings nothing newer than the page has.
        hadOne = true;
    });

    /** A newer worker waits until the person says so: an app whose files are of two versions would be none. */
    function propose(worker) {
        const load = () => {
            isAsked = true;
            worker.postMessage("activate");
        };
        offer("A newer Six Bookmarks is here.", "Load it", load);
    }

    try {
        const registration = await container.register("sw.js");
        if (registration.waiting !== null) propose(registration.waiting);
        registration.addEventListener("updatefound", () => {
            const worker = registration.installing;
            worker.addEventListener("statechange", () => {
                if (worker.state === "installed" && registration.active !== null) propose(worker);
            });
        });
        // A start asks at once, the browser by itself some time later; an app that stays open for days asks when somebody
        // comes back to it.
        if (registration.active !== null) registration.update().catch(() => {});
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible") registration.update().catch(() => {});
        });
        const { active } = await container.ready;
        // The worker takes over, once, the pages that are there when it starts. One that was loading just then, as after
        // a reload, it has passed by; so has a page that was loaded past it.
        if (container.controller === null) active.postMessage("claim");
    } catch {
        // Without it the app works as long as the server can be reached.
    }
}
