// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * One at a time, in all tabs: Web Locks where the browser has them, else leases.
 *
 * Browsers have Web Locks on secure pages only; IndexedDB they have everywhere.
 */

import { inLease, leased } from "./leases.js";

const chains = new Map();

/** Runs `work` when nobody else holds the lock of this name; a signal tells it when somebody else has it, `null` where that cannot be. */
export function exclusively(name, work, options = {}) {
    if (globalThis.navigator?.locks) return navigator.locks.request(name, options, () => work(null));
    const before = chains.get(name) ?? Promise.resolve();
    const run = before.then(() => (options.signal?.aborted ? undefined : inLease(name, work, options.signal)));
    chains.set(name, run.catch(() => {}));
    return run;
}

/** The names of the locks that other tabs hold; some of this one may be among them. */
export async function held() {
    const locks = globalThis.navigator?.locks;
    return locks ? (await locks.query()).held.map(({ name }) => name) : leased();
}
