// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What becomes of the state when transactions are decided. */

import { rewriteBase, withoutRewritten } from "./outbox.js";
import { PROPERTIES } from "./replay.js";

/** A row of the service as it is kept. */
export function rowOf(entity, key, etag) {
    return {
        key,
        id: entity.BookmarkId,
        etag: etag ?? entity["@etag"] ?? null,
        Name: entity.Name ?? "",
        Url: entity.Url ?? "",
        Ordinal: entity.Ordinal,
    };
}

/** The state after verdicts about transactions, as they were when they were `sent`. */
export function settle(state, verdicts, sent, now) {
    let next = state;
    verdicts.forEach((verdict, place) => {
        const { order, frozen } = sent[place];
        const transaction = next.outbox.find((each) => each.order === order);
        // Another tab may have heard the same while this one slept, and have sent what came of it since.
        if (transaction?.frozen?.bytes !== frozen.bytes) return;
        next = settleOne(next, verdict, transaction, now);
    });
    return next;
}

function settleOne(state, verdict, transaction, now) {
    const others = state.outbox.filter((each) => each !== transaction);
    const replace = (fields) => ({
        ...state,
        outbox: state.outbox.map((each) => (each === transaction ? { ...each, frozen: null, ...fields } : each)),
    });
    switch (verdict.kind) {
        case "accepted":
            return accepted({ ...state, outbox: others }, verdict, transaction);
        case "meets":
            return replace({ meets: verdict.how });
        case "again":
            return replace({});
        case "stranger":
            // A new client: nothing of what is frozen was executed in the name of this one.
            return { ...replace({}), meta: { ...state.meta, client: null } };
        case "refused": {
            const refused = { code: verdict.code, message: verdict.message, status: verdict.status, at: now };
            const next = undone(replace({ refused, meets: null }), transaction);
            return { ...next, outbox: withoutRewritten(next.outbox, transaction.order) };
        }
        default:
            return state;
    }
}

function accepted(state, verdict, transaction) {
    const rows = new Map(state.rows.map((row) => [row.key, row]));
    let { outbox } = state;
    for (const { key, op, body, etag } of verdict.rows) {
        if (op === "delete") {
            rows.delete(key);
            continue;
        }
        const row = body === null ? { ...rows.get(key), etag } : rowOf(body, key, etag);
        rows.set(key, row);
        const wrote = transaction.changes.find((change) => change.key === key)?.values ?? {};
        const values = {};
        for (const name of PROPERTIES) if (name in wrote) values[name] = [wrote[name], row[name]];
        outbox = rewriteBase(outbox, transaction.order, key, values);
    }
    return { ...state, rows: [...rows.values()], outbox, meta: { ...state.meta, sent: state.meta.sent + 1 } };
}

/** Later writes stood over one that did not happen. */
function undone(state, transaction) {
    let { outbox } = state;
    for (const change of transaction.changes) {
        if (change.op !== "update") continue;
        const values = {};
        for (const name of Object.keys(change.values)) values[name] = [change.values[name], change.base[name]];
        outbox = rewriteBase(outbox, transaction.order, change.key, values);
    }
    return { ...state, outbox };
}
