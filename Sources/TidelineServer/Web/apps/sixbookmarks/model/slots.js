// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The six places. A place is shown as 1 to 6; on the wire it is `Ordinal`, 0 to 5. */

export const PLACES = 6;

export function isPlace(ordinal) {
    return Number.isInteger(ordinal) && ordinal >= 0 && ordinal < PLACES;
}

/**
 * Puts bookmarks into their places.
 *
 * What another program stored outside of the places, or at a place that is taken, is left over: shown, never hidden.
 * What the service has accepted goes before what it refused.
 */
export function arrange(bookmarks) {
    const places = new Array(PLACES).fill(null);
    const others = [];
    const sorted = [...bookmarks].sort(
        (a, b) => Number(Boolean(a.refused)) - Number(Boolean(b.refused)) || a.Ordinal - b.Ordinal || (a.key < b.key ? -1 : 1),
    );
    for (const bookmark of sorted) {
        if (isPlace(bookmark.Ordinal) && places[bookmark.Ordinal] === null) places[bookmark.Ordinal] = bookmark;
        else others.push(bookmark);
    }
    return { places, others };
}

/** The lowest place that is not taken, or `null` when all six are. */
export function lowestFree(taken) {
    for (let place = 0; place < PLACES; place += 1) if (!taken.has(place)) return place;
    return null;
}

/** The first free place from the wanted one on, round the end; `null` when all six are taken. */
export function nextFree(wanted, taken) {
    const start = isPlace(wanted) ? wanted : 0;
    for (let step = 0; step < PLACES; step += 1) {
        const place = (start + step) % PLACES;
        if (!taken.has(place)) return place;
    }
    return null;
}
