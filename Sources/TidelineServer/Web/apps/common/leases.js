// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import { randomUUID } from "./identifiers.js";

const STORE = "leases";
const LENGTH = 30_000;
/** Tabs may read the time a little apart; a lease that ends later than this is of a clock that was put back. */
const LONGEST_LEASE = 2 * LENGTH;
const RENEWAL = 10_000;
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;
const MOST_CLOSED = 20;

/**
 * Locks between tabs without Web Locks: a row of IndexedDB says who holds one, and until when.
 *
 * A transaction decides who gets it. Who works renews it; the lease of a tab that crashed ends by itself, and that of one
 * that is closed at once. A tab that the browser lets sleep may lose its lease to another one while it works, and is told
 * when it wakes: until then both may send the same bytes, which the service takes once (docs/promises.md, G4).
 */
export class Leases {
    #me = randomUUID();
    /** The name of the database, and of the channel. */
    #name;
    /** The key of who has been closed: `localStorage` is written at once, also while a page goes. */
    #closedKey;
    #opened = null;
    #channel = null;

    /** `app`: what the names in the browser begin with. */
    constructor(app) {
        this.#name = `${app}-leases`;
        this.#closedKey = `${app}.closed`;
    }

    /**
     * Runs `work` when no other tab holds the lease of this name; `undefined` where `signal` ends the wait.
     *
     * `work` is given a signal that tells when another tab has the lease.
     */
    async hold(name, work, signal) {
        let wait = SHORTEST_PAUSE;
        while (!(await this.#take(name))) {
            await this.#pause(name, wait * (0.5 + Math.random() / 2), signal);
            if (signal?.aborted) return undefined;
            wait = Math.min(LONGEST_PAUSE, wait * 1.5);
        }
        const lost = new AbortController();
        const renew = async () => {
            if (!(await this.#take(name))) lost.abort();
        };
        const renewal = setInterval(() => renew().catch(() => {}), RENEWAL);
        try {
            return await work(lost.signal);
        } finally {
            clearInterval(renewal);
            await this.#release(name).catch(() => {});
        }
    }

    /** The names of the leases that other tabs hold. */
    async held() {
        const all = new Map();
        await this.#change((leases) => {
            leases.openCursor().onsuccess = ({ target: { result: cursor } }) => {
                if (cursor === null) return;
                all.set(cursor.key, cursor.value);
                cursor.continue();
            };
        });
        return [...all.keys()].filter((name) => this.#isHeld(all.get(name), Date.now()));
    }

    /** Takes or renews a lease; `false` while another tab has it. */
    #take(name) {
        return this.#change((leases) => {
            const request = leases.get(name);
            return new Promise((resolve, reject) => {
                request.onerror = () => reject(request.error);
                request.onsuccess = () => {
                    // Read here, when it is this tab's turn: a time from before may be earlier than that of who had the turn.
                    const now = Date.now();
                    if (this.#isHeld(request.result, now)) return resolve(false);
                    leases.put({ owner: this.#me, until: now + LENGTH }, name);
                    resolve(true);
                };
            });
        });
    }

    /** Whether another tab has a lease. */
    #isHeld(lease, now) {
        const isTheirs = lease && lease.owner !== this.#me && lease.until > now && lease.until <= now + LONGEST_LEASE;
        return isTheirs && !this.#closed().includes(lease.owner);
    }

    async #release(name) {
        await this.#change((leases) => {
            const request = leases.get(name);
            request.onsuccess = () => request.result?.owner === this.#me && leases.delete(name);
            return undefined;
        });
        this.#channel?.postMessage(name);
    }

    /** One transaction; returns what `body` does when it is stored. */
    async #change(body) {
        this.#opened ??= this.#open();
        const transaction = (await this.#opened).transaction(STORE, "readwrite");
        const done = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error ?? new Error("The browser did not store a lease."));
        });
        const [result] = await Promise.all([body(transaction.objectStore(STORE)), done]);
        return result;
    }

    #open() {
        if (typeof BroadcastChannel !== "undefined") this.#channel = new BroadcastChannel(this.#name);
        const store = (ids) => localStorage.setItem(this.#closedKey, JSON.stringify(ids));
        addEventListener("pagehide", () => store([...this.#closed(), this.#me].slice(-MOST_CLOSED)));
        // The page is back as it was: it holds what it held, unless another has taken it meanwhile.
        addEventListener("pageshow", () => store(this.#closed().filter((each) => each !== this.#me)));
        return new Promise((resolve, reject) => {
            const request = indexedDB.open(this.#name, 1);
            request.onupgradeneeded = () => request.result.createObjectStore(STORE);
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
    }

    #closed() {
        try {
            const ids = JSON.parse(localStorage.getItem(this.#closedKey));
            return Array.isArray(ids) ? ids : [];
        } catch {
            return [];
        }
    }

    /** Waits for so many milliseconds, for the word that the lease is free, or for the end of the wait. */
    #pause(name, milliseconds, signal) {
        return new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                this.#channel?.removeEventListener("message", heard);
                signal?.removeEventListener("abort", end);
                resolve();
            };
            const heard = ({ data }) => data === name && end();
            const timer = setTimeout(end, milliseconds);
            this.#channel?.addEventListener("message", heard);
            signal?.addEventListener("abort", end, { once: true });
        });
    }
}
