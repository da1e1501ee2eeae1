// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Web Locks: one at a time, in all tabs. The browser lets go of those of a page that is closed, or crashes. */

/** Runs `work` when nobody else holds the lock of this name. */
export function exclusively(name, work, options = {}) {
    return navigator.locks.request(name, options, () => work());
}

/** The names of the locks that are held. */
export async function held() {
    return (await navigator.locks.query()).held.map(({ name }) => name);
}
