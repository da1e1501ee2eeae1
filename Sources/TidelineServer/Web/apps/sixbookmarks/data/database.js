// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The store of one user in IndexedDB.
 *
 * Six bookmarks and what waits are little: each transaction reads all of it, a pure function makes the next state, and
 * what changed is written, so that rows, outbox and conflict log are never of different moments, also with other tabs.
 */

const STORES = { rows: "key", outbox: "order", conflicts: "id" };
const EMPTY_META = { lastOrder: 0, lastNumber: 0, client: null, deltaLink: null, received: null, sent: 0 };

export class Database {
    #database;
    #isLost = false;

    /** `onLost` is called when the browser has closed the store, or somebody deletes it. */
    constructor(database, onLost) {
        this.#database = database;
        const lose = () => {
            this.#isLost = true;
            onLost();
        };
        database.onclose = lose;
        // Another tab signs out and deletes the store, or what the site stored is cleared: let it.
        database.onversionchange = () => {
            database.close();
            lose();
        };
    }

    static async open(name, onLost) {
        const request = indexedDB.open(name, 1);
        request.onupgradeneeded = () => {
            for (const [store, keyPath] of Object.entries(STORES)) request.result.createObjectStore(store, { keyPath });
            request.result.createObjectStore("meta");
        };
        return new Database(await settled(request), onLost);
    }

    static async remove(name) {
        await settled(indexedDB.deleteDatabase(name));
    }

    close() {
        this.#database.close();
    }

    async read() {
        return this.#load(this.#begin("readonly"));
    }

    /**
     * Replaces the state by what `make` says of it, in one transaction; returns `{ before, after }`.
     *
     * `make` waits for nothing: IndexedDB ends a transaction that has nothing to do.
     */
    async change(make) {
        const transaction = this.#begin("readwrite", { durability: "strict" });
        const done = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error ?? new Error("The browser did not store the change."));
        });
        done.catch(() => {});
        const before = await this.#load(transaction);
        let after;
        try {
            after = make(before);
        } catch (error) {
            transaction.abort();
            throw error;
        }
        for (const [store, keyPath] of Object.entries(STORES)) {
            write(transaction.objectStore(store), keyPath, before[store], after[store]);
        }
        if (after.meta !== before.meta) transaction.objectStore("meta").put(after.meta, "meta");
        await done;
        return { before, after };
    }

    #begin(mode, options) {
        if (this.#isLost) throw new Error(LOST);
        return this.#database.transaction([...Object.keys(STORES), "meta"], mode, options);
    }

    async #load(transaction) {
        const [rows, outbox, conflicts, meta] = await Promise.all([
            settled(transaction.objectStore("rows").getAll()),
            settled(transaction.objectStore("outbox").getAll()),
            settled(transaction.objectStore("conflicts").getAll()),
            settled(transaction.objectStore("meta").get("meta")),
        ]);
        conflicts.sort((a, b) => a.at - b.at);
        return { rows, outbox, conflicts, meta: meta ?? EMPTY_META };
    }
}

/** What is told where a store is lost. */
export const LOST =
    "This browser has deleted or closed what the app had stored, so nothing you do here is kept. Copy what you typed, and load the page again.";

/** Puts what is new or another object, deletes what is gone. */
function write(store, keyPath, before, after) {
    if (before === after) return;
    const old = new Map(before.map((each) => [each[keyPath], each]));
    for (const each of after) {
        if (old.get(each[keyPath]) !== each) store.put(each);
        old.delete(each[keyPath]);
    }
    for (const key of old.keys()) store.delete(key);
}

function settled(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
