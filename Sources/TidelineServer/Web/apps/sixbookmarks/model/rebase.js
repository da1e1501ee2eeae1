// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The three-way merge: what waits here, over the rows that the service has now.
 *
 * Base is what a change found, mine what it wrote, theirs what the service has. What only one side changed merges; what
 * both changed goes to the service, and the value that loses is kept in the conflict log. An update goes before a
 * deletion, whichever side it is on. No two bookmarks end at one place.
 */

import { nextFree } from "./slots.js";
import { PROPERTIES, applyChange } from "./replay.js";

const NO_PLACE = { code: "NoPlace", message: "All six places are taken; another device took the last one.", status: 409 };

/** `{ outbox, entries }`: the transactions that still have something to say, and what to tell the person. */
export function rebase(rows, outbox, now) {
    const bookmarks = new Map(rows.map((row) => [row.key, { ...row }]));
    const log = new Map();
    const result = [];
    for (const transaction of outbox) {
        if (transaction.frozen || transaction.refused) {
            result.push(transaction);
            continue;
        }
        let changes = transaction.changes.map((change) => merge(change, bookmarks, log)).filter((change) => change !== null);
        const placed = place(changes, bookmarks, log);
        changes = placed.changes;
        if (changes.length === 0) continue;
        const met = { meets: null, clashes: (transaction.clashes ?? 0) + (transaction.meets === "place" ? 1 : 0) };
        if (placed.isFull) {
            result.push({ ...transaction, ...met, changes, refused: { ...NO_PLACE, at: now } });
            continue;
        }
        for (const change of changes) applyChange(bookmarks, change);
        result.push({ ...transaction, ...met, changes });
    }
    return { outbox: result, entries: [...log.values()] };
}

/** A change over the bookmark as it is now; `null` when nothing is left of it. */
function merge(change, bookmarks, log) {
    const theirs = bookmarks.get(change.key);
    // What an undo brings back is not needed twice: the deletion has lost, and the bookmark is there.
    if (change.op === "insert") return bookmarks.has(change.again) ? null : change;
    if (change.op === "delete") {
        if (theirs === undefined) return null;
        const changed = PROPERTIES.filter((name) => theirs[name] !== change.base[name]);
        if (changed.length === 0) return change;
        tell(log, { kind: "kept", key: change.key, name: theirs.Name, property: "", mine: null, theirs: theirs.Name });
        return null;
    }
    if (theirs === undefined) {
        const values = { ...change.base, ...change.values };
        tell(log, { kind: "back", key: change.key, name: values.Name, property: "", mine: values.Name, theirs: null });
        return { op: "insert", key: change.key, values };
    }
    const values = {};
    for (const [name, mine] of Object.entries(change.values)) {
        const now = theirs[name];
        if (now === mine) continue;
        if (now === change.base[name]) values[name] = mine;
        else tell(log, { kind: "value", key: change.key, name: theirs.Name, property: name, mine, theirs: now });
    }
    return Object.keys(values).length > 0 ? { ...change, values, base: wholeOf(theirs) } : null;
}

/**
 * Gives each bookmark that comes to a place one that nobody else has.
 *
 * Those that move in one transaction leave their places first, so two can change places.
 */
function place(changes, bookmarks, log) {
    const comes = (change) => change.op === "insert" || (change.op === "update" && "Ordinal" in change.values);
    const leaving = new Set(changes.filter((change) => comes(change) || change.op === "delete").map((change) => change.key));
    const taken = new Set();
    for (const [key, bookmark] of bookmarks) if (!leaving.has(key)) taken.add(bookmark.Ordinal);
    let isFull = false;
    const result = [];
    for (const change of changes) {
        if (!comes(change)) {
            result.push(change);
            continue;
        }
        const wanted = change.values.Ordinal;
        const given = nextFree(wanted, taken);
        if (given === null) {
            isFull = true;
            result.push(change);
            continue;
        }
        taken.add(given);
        const now = bookmarks.get(change.key);
        if (given !== wanted) {
            const name = change.values.Name ?? now?.Name ?? "";
            tell(log, { kind: "moved", key: change.key, name, property: "Ordinal", mine: wanted, theirs: given });
        }
        const values = { ...change.values, Ordinal: given };
        if (change.op === "update" && now?.Ordinal === given) delete values.Ordinal;
        if (Object.keys(values).length > 0) result.push({ ...change, values });
    }
    return { changes: result, isFull };
}

function wholeOf({ Name, Url, Ordinal }) {
    return { Name, Url, Ordinal };
}

/** Of what one person wrote to a property in a row, the last is what they want back. */
function tell(log, entry) {
    log.set(`${entry.kind} ${entry.key} ${entry.property}`, entry);
}
