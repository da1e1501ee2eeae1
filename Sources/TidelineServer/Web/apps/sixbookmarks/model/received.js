// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What a read of the service makes of the rows, of what waits, and of the conflict log, in one step. */

import { record } from "./conflicts.js";
import { rebase } from "./rebase.js";
import { fold } from "./outbox.js";
import { rowOf } from "./settle.js";
import { randomUUID } from "../../common/identifiers.js";

/** All bookmarks of the service. What was here and is not there any more is gone. */
export function receiveAll(state, entities, link, now) {
    const rows = entities.map((entity) => rowOf(entity, keyOf(state.rows, entity.BookmarkId)));
    return apply(state, rows, link, now);
}

/** What has changed since the last delta link. */
export function receiveChanges(state, items, link, now) {
    const rows = new Map(state.rows.map((row) => [row.key, row]));
    for (const item of items) {
        const id = item.BookmarkId ?? Number(/\((\d+)\)$/.exec(item["@id"] ?? "")?.[1]);
        const key = keyOf(state.rows, id);
        if (item["@removed"]) rows.delete(key);
        else rows.set(key, rowOf(item, key));
    }
    return apply(state, [...rows.values()], link, now);
}

/** A row keeps the key that it has on this device; one from elsewhere gets its key from the service's. */
function keyOf(rows, id) {
    return rows.find((row) => row.id === id)?.key ?? `b${id}`;
}

function apply(state, rows, link, now) {
    const { outbox, entries } = rebase(rows, fold(state.outbox), now);
    const told = entries.map((entry) => ({ id: randomUUID(), at: now, ...entry }));
    return record({ ...state, rows, outbox, meta: { ...state.meta, deltaLink: link, received: now } }, told);
}
