// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What a person sees: the rows of the service, and over them what waits. */

export const PROPERTIES = ["Name", "Url", "Ordinal"];

/** One change over a map of bookmarks by key. */
export function applyChange(bookmarks, change) {
    if (change.op === "delete") {
        bookmarks.delete(change.key);
        return;
    }
    const before = bookmarks.get(change.key);
    if (change.op === "update" && before === undefined) return;
    bookmarks.set(change.key, { ...(before ?? { key: change.key, id: null, etag: null }), ...change.values });
}

/**
 * The bookmarks as they stand with everything that was written here.
 *
 * Each says whether something of it waits, and whether the service refused something of it. What was refused stays in
 * sight: it is the person's own writing.
 */
export function replay(rows, outbox) {
    const bookmarks = new Map(rows.map((row) => [row.key, { ...row }]));
    for (const transaction of outbox) {
        for (const change of transaction.changes) {
            applyChange(bookmarks, change);
            const bookmark = bookmarks.get(change.key);
            if (bookmark === undefined) continue;
            if (transaction.refused) bookmark.refused = transaction.refused;
            else bookmark.waits = true;
        }
    }
    return bookmarks;
}
