// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The outbox: what was written here and is not decided by the service, in the order it was written.
 *
 *     { order, changes: [{ op, key, values, base }], frozen, refused, meets, over }
 *
 * An insert that undoes a deletion has its key in `again`. `order` never changes. `frozen` holds the number and the exact bytes of a transaction that was sent, until its
 * outcome is known. `refused` holds the service's reason: the quarantine. `meets` says that what is on the service now
 * must be read before it is sent again. `over` holds what a deletion took out of the quarantine.
 */

import { applyChange, replay } from "./replay.js";

/** The rows of the service are read, and the transaction is merged over them, before it is sent. */
const MEETS_NEWS = "conflict";

/** The changes of a local transaction, with the values that it found; a write that changes nothing is none. */
export function describe(bookmarks, writes) {
    const changes = [];
    for (const write of writes) {
        const before = bookmarks.get(write.key);
        if (write.op === "insert") {
            changes.push({ op: "insert", key: write.key, values: { ...write.values }, again: write.again ?? null });
        } else if (write.op === "delete" && before !== undefined) {
            changes.push({ op: "delete", key: write.key, base: wholeOf(before) });
        } else if (write.op === "update" && before !== undefined) {
            const changed = Object.entries(write.values).filter(([name, value]) => before[name] !== value);
            if (changed.length === 0) continue;
            changes.push({ op: "update", key: write.key, values: Object.fromEntries(changed), base: wholeOf(before) });
        }
    }
    return changes;
}

/** The base is the whole bookmark, so that a change can bring one back that was deleted elsewhere. */
function wholeOf({ Name, Url, Ordinal }) {
    return { Name, Url, Ordinal };
}

/** The state with one more local transaction; the same state where nothing changes. */
export function commit(state, writes) {
    const changes = describe(replay(state.rows, state.outbox), writes);
    if (changes.length === 0) return state;
    const { outbox, meets, over } = answerRefused(state.outbox, changes);
    if (changes.length === 0) return { ...state, outbox };
    const joined = changes.length === 1 && meets === null ? joinedLast(outbox, changes[0]) : null;
    if (joined !== null) return { ...state, outbox: joined };
    const order = state.meta.lastOrder + 1;
    const transaction = { order, changes, frozen: null, refused: null, meets, over, at: Date.now() };
    return { ...state, outbox: [...outbox, transaction], meta: { ...state.meta, lastOrder: order } };
}

/**
 * Writing again over what the service refused is an answer to the refusal: the old write goes into the new one.
 *
 * Takes out of `changes` what was put into an insert that was refused, or went away with one. What was refused stood
 * over the service's row and hid it, also what another device has written to it since: so the base of a new write is
 * what the refused one found, and `meets` asks for the service's rows before it is sent.
 */
function answerRefused(outbox, changes) {
    let result = outbox;
    let meets = null;
    const over = [];
    for (const change of [...changes]) {
        // The newest first: what it says goes before what an older one says.
        for (const old of outbox.filter((each) => each.refused && each.changes.some((was) => was.key === change.key)).reverse()) {
            const was = old.changes.find((each) => each.key === change.key);
            const isAlone = old.changes.length === 1;
            if (was.op === "update") {
                meets = MEETS_NEWS;
                if (change.op === "delete") over.push(old);
                else if (isAlone) change.values = { ...was.values, ...change.values };
                const found = Object.keys(was.values).map((name) => [name, was.base[name]]);
                change.base = { ...change.base, ...Object.fromEntries(found) };
                result = isAlone ? result.filter((each) => each !== old) : withoutOlder(result, old.order, [change]);
            } else if (was.op === "insert" && isAlone) {
                changes.splice(changes.indexOf(change), 1);
                if (change.op === "delete") {
                    result = result.filter((each) => each !== old);
                } else {
                    const merged = { ...was, values: { ...was.values, ...change.values } };
                    result = result.map((each) => (each === old ? { ...sentAnew(old), changes: [merged] } : each));
                }
            }
        }
    }
    return { outbox: result, meets, over };
}

/** The outbox with what later changes wrote taken out of a refused transaction: it would stand over the newer values. */
function withoutOlder(outbox, order, later) {
    const left = (change) => {
        const newer = later.filter((each) => each.key === change.key);
        if (change.op !== "update" || newer.length === 0) return change;
        if (newer.some((each) => each.op === "delete")) return null;
        const values = Object.entries(change.values).filter(([name]) => !newer.some((each) => name in each.values));
        return values.length === 0 ? null : { ...change, values: Object.fromEntries(values) };
    };
    return outbox
        .map((each) => (each.order === order ? { ...each, changes: each.changes.map(left).filter((change) => change !== null) } : each))
        .filter((each) => each.changes.length > 0);
}

/**
 * The outbox after a refusal: the refused transaction keeps what the person has not written anew since.
 *
 * What a later deletion takes out of it lies in that deletion's `over`, as one that is not sent yet can be undone.
 */
export function withoutRewritten(outbox, order) {
    const later = outbox.filter((each) => each.order > order && !each.refused);
    const changes = later.flatMap((each) => each.changes);
    const own = outbox.filter((each) => each.order === order);
    const [left] = withoutOlder(own, order, changes.filter((change) => change.op !== "delete"));
    const wrote = (key) => left?.changes.some((change) => change.op === "update" && change.key === key);
    const takes = (each) => later.includes(each) && each.changes.some((change) => change.op === "delete" && wrote(change.key));
    const kept = outbox.map((each) => (takes(each) ? { ...each, over: [...(each.over ?? []), left] } : each));
    return withoutOlder(kept, order, changes);
}

/**
 * The outbox with an update put into the last transaction that writes its bookmark; `null` where that cannot be.
 *
 * Ten edits of a bookmark are one request then. What was sent stays as it is, and so does what waits for news of the
 * service. A place is unique: moves keep their turns.
 */
function joinedLast(outbox, change) {
    if (change.op !== "update" || "Ordinal" in change.values) return null;
    const isOfIt = (other) => other.key === change.key;
    const last = outbox.findLast((each) => each.changes.some(isOfIt));
    if (last === undefined || last.frozen || last.refused || last.meets) return null;
    const changes = last.changes.map((each) => (isOfIt(each) ? join(each, change) : each));
    // Written back to what it was: nothing is left to send.
    const left = changes.filter((each) => each.op !== "update" || Object.keys(each.values).length > 0);
    const result = { ...last, changes: left };
    return outbox.map((each) => (each === last ? result : each)).filter((each) => each.changes.length > 0);
}

function join(earlier, later) {
    const values = { ...earlier.values, ...later.values };
    if (earlier.op === "update") {
        for (const name of Object.keys(values)) if (values[name] === earlier.base[name]) delete values[name];
    }
    return { ...earlier, values };
}

/** Bookmarks that were made and deleted here without having been sent leave the outbox: nobody else need know. */
export function fold(outbox) {
    const isOpen = (each) => each.frozen === null && !each.refused;
    let result = outbox;
    for (const last of outbox) {
        for (const change of last.changes) {
            if (change.op !== "delete" || !isOpen(last)) continue;
            const touching = result.filter((each) => each.changes.some((other) => other.key === change.key));
            const isOurs = touching.some((each) => each.changes.some((other) => other.key === change.key && other.op === "insert"));
            if (!isOurs || !touching.every(isOpen)) continue;
            result = result
                .map((each) =>
                    touching.includes(each) ? { ...each, changes: each.changes.filter((other) => other.key !== change.key) } : each,
                )
                .filter((each) => each.changes.length > 0);
        }
    }
    return result;
}

/**
 * The transactions that can be sent together: none of them needs the outcome of another.
 *
 * One that touches a row of an earlier one, or takes a place that an earlier one frees, goes with the next batch. One
 * that builds on a bookmark whose insert was refused waits for the person's word.
 */
export function sendable(state) {
    const result = [];
    const touched = new Set();
    const freed = new Set();
    const bookmarks = new Map(state.rows.map((row) => [row.key, { ...row }]));
    for (const transaction of state.outbox) {
        // What was refused is not there: it frees nothing.
        if (transaction.refused) continue;
        const keys = transaction.changes.map((change) => change.key);
        const isHeld = keys.some((key) => touched.has(key)) || isMissing(transaction, state.rows);
        const takes = transaction.changes.some((change) => freed.has(change.values?.Ordinal));
        if (!isHeld && !takes && !transaction.meets) result.push(transaction);
        for (const change of transaction.changes) {
            touched.add(change.key);
            const before = bookmarks.get(change.key)?.Ordinal;
            applyChange(bookmarks, change);
            if (before !== undefined && bookmarks.get(change.key)?.Ordinal !== before) freed.add(before);
        }
    }
    return result;
}

/** Whether a transaction changes a row that the service does not have. */
function isMissing(transaction, rows) {
    return transaction.changes.some((change) => change.op !== "insert" && !rows.some((row) => row.key === change.key));
}

/** Later writes of a property were made over a value; they now stand over another one. */
export function rewriteBase(outbox, order, key, values) {
    return outbox.map((each) => {
        if (each.order <= order || each.frozen || !each.changes.some((change) => change.key === key)) return each;
        const changes = each.changes.map((change) => {
            if (change.key !== key || !change.base) return change;
            const base = { ...change.base };
            for (const [name, [from, to]] of Object.entries(values)) if (name in base && base[name] === from) base[name] = to;
            return { ...change, base };
        });
        return { ...each, changes };
    });
}

/** A refused transaction that is to be sent again, by what the service has now: that may be another device's since. */
function sentAnew(transaction) {
    return { ...transaction, refused: null, meets: MEETS_NEWS };
}

/** The quarantine's two ways out. */
export function tryAgain(state, order) {
    return { ...state, outbox: state.outbox.map((each) => (each.order === order && each.refused ? sentAnew(each) : each)) };
}

export function discard(state, order) {
    const gone = state.outbox.find((each) => each.order === order);
    if (gone === undefined || gone.frozen) return state;
    const inserted = new Set(gone.changes.filter((change) => change.op === "insert").map((change) => change.key));
    let outbox = state.outbox.filter((each) => each !== gone);
    outbox = outbox
        .map((each) => (each.frozen ? each : { ...each, changes: each.changes.filter((change) => !inserted.has(change.key)) }))
        .filter((each) => each.changes.length > 0);
    for (const change of gone.changes) {
        if (change.op !== "update") continue;
        const values = {};
        for (const name of Object.keys(change.values)) values[name] = [change.values[name], change.base[name]];
        outbox = rewriteBase(outbox, order, change.key, values);
    }
    return { ...state, outbox: withTaken(outbox, gone.over ?? []) };
}

/** The outbox with what a deletion took out of the quarantine there again. */
function withTaken(outbox, taken) {
    if (taken.length === 0) return outbox;
    const isOther = (each) => !taken.some((was) => was.order === each.order);
    return [...outbox.filter(isOther), ...taken].sort((a, b) => a.order - b.order);
}
