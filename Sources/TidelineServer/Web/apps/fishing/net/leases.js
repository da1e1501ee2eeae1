// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks between tabs without Web Locks: a row of IndexedDB says who holds one, and until when.
 *
 * A transaction decides who gets it. Who works renews it; the lease of a tab that crashed ends by itself, and that of one
 * that is closed at once. A tab that the browser lets sleep may lose its lease to another one while it works, and is told
 * when it wakes: until then both may send the same bytes, which the service takes once (docs/promises.md, G4).
 */

import { randomUUID } from "./identifiers.js";

const STORE = "leases";
const LENGTH = 30_000;
/** Tabs may read the time a little apart; a lease that ends later than this is of a clock that was put back. */
const LONGEST_LEASE = 2 * LENGTH;
const RENEWAL = 10_000;
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;
/** Who has been closed: `localStorage` is written at once, also while a page goes. */
const CLOSED = "tideline-fishing.closed";
const MOST_CLOSED = 20;

const me = randomUUID();
let opened = null;
let channel = null;

/**
 * Runs `work` when no other tab holds the lease of this name; `undefined` where `signal` ends the wait.
 *
 * `work` is given a signal that tells when another tab has the lease.
 */
export async function inLease(name, work, signal) {
    let wait = SHORTEST_PAUSE;
    while (!(await take(name))) {
        await pause(name, wait * (0.5 + Math.random() / 2), signal);
        if (signal?.aborted) return undefined;
        wait = Math.min(LONGEST_PAUSE, wait * 1.5);
    }
    const lost = new AbortController();
    const renew = async () => {
        if (!(await take(name))) lost.abort();
    };
    const renewal = setInterval(() => renew().catch(() => {}), RENEWAL);
    try {
        return await work(lost.signal);
    } finally {
        clearInterval(renewal);
        await release(name).catch(() => {});
    }
}

/** Takes or renews a lease; `false` while another tab has it. */
async function take(name) {
    return change((leases) => {
        const request = leases.get(name);
        return new Promise((resolve, reject) => {
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                // Read here, when it is this tab's turn: a time from before may be earlier than that of who had the turn.
                const now = Date.now();
                if (isHeld(request.result, now)) return resolve(false);
                leases.put({ owner: me, until: now + LENGTH }, name);
                resolve(true);
            };
        });
    });
}

/** The names of the leases that other tabs hold. */
export async function leased() {
    const all = new Map();
    await change((leases) => {
        leases.openCursor().onsuccess = ({ target: { result: cursor } }) => {
            if (cursor === null) return;
            all.set(cursor.key, cursor.value);
            cursor.continue();
        };
    });
    return [...all.keys()].filter((name) => isHeld(all.get(name), Date.now()));
}

/** Whether another tab has a lease. */
function isHeld(lease, now) {
    const isTheirs = lease && lease.owner !== me && lease.until > now && lease.until <= now + LONGEST_LEASE;
    return isTheirs && !closed().includes(lease.owner);
}

async function release(name) {
    await change((leases) => {
        const request = leases.get(name);
        request.onsuccess = () => request.result?.owner === me && leases.delete(name);
        return undefined;
    });
    channel?.postMessage(name);
}

/** One transaction; returns what `body` does when it is stored. */
async function change(body) {
    opened ??= open();
    const transaction = (await opened).transaction(STORE, "readwrite");
    const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error("The browser did not store a lease."));
    });
    const [result] = await Promise.all([body(transaction.objectStore(STORE)), done]);
    return result;
}

function open() {
    if (typeof BroadcastChannel !== "undefined") channel = new BroadcastChannel("tideline-fishing-leases");
    addEventListener("pagehide", () => localStorage.setItem(CLOSED, JSON.stringify([...closed(), me].slice(-MOST_CLOSED))));
    // The page is back as it was: it holds what it held, unless another has taken it meanwhile.
    addEventListener("pageshow", () => localStorage.setItem(CLOSED, JSON.stringify(closed().filter((each) => each !== me))));
    return new Promise((resolve, reject) => {
        const request = indexedDB.open("tideline-fishing-leases", 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

function closed() {
    try {
        const ids = JSON.parse(localStorage.getItem(CLOSED));
        return Array.isArray(ids) ? ids : [];
    } catch {
        return [];
    }
}

/** Waits for so many milliseconds, for the word that the lease is free, or for the end of the wait. */
function pause(name, milliseconds, signal) {
    return new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            channel?.removeEventListener("message", heard);
            signal?.removeEventListener("abort", end);
            resolve();
        };
        const heard = ({ data }) => data === name && end();
        const timer = setTimeout(end, milliseconds);
        channel?.addEventListener("message", heard);
        signal?.addEventListener("abort", end, { once: true });
    });
}
