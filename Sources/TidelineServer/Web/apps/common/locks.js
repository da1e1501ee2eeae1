// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import { Leases } from "./leases.js";

/**
 * One at a time, in all tabs: Web Locks where the browser has them, else leases.
 *
 * Browsers have Web Locks on secure pages only; IndexedDB they have everywhere.
 */
export class Locks {
    #leases;
    /** The last of this tab that waits for a lease, by the name of the lock. */
    #chains = new Map();

    /** `app`: what the names of the app's leases in the browser begin with; the names of locks are whole. */
    constructor(app) {
        this.#leases = new Leases(app);
    }

    /** Runs `work` when nobody else holds the lock of this name; a signal tells it when somebody else has it, `null` where that cannot be. */
    exclusively(name, work, options = {}) {
        if (globalThis.navigator?.locks) return navigator.locks.request(name, options, () => work(null));
        const before = this.#chains.get(name) ?? Promise.resolve();
        const run = before.then(() => (options.signal?.aborted ? undefined : this.#leases.hold(name, work, options.signal)));
        this.#chains.set(name, run.catch(() => {}));
        return run;
    }

    /** The names of the locks that other tabs hold; some of this one may be among them. */
    async held() {
        const locks = globalThis.navigator?.locks;
        return locks ? (await locks.query()).held.map(({ name }) => name) : this.#leases.held();
    }
}
