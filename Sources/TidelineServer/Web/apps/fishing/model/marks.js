// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What the map draws: a mark for each spot, or one for all that lie in a cell where there are too many to tell apart. */

import { project, view } from "./globe.js";

/** So many spots have marks of their own. More cover each other, and 20,000 take a browser seconds to draw. */
const MOST = 300;
/** The width of a cell, in units of the picture: a number of five digits fits. */
const CELL = 48;

/**
 * The marks of spots: `{ x, y, count, spot }`, where `spot` is `null` for a mark of several.
 *
 * The spot with the key `selected` has its own, which is the last, and so above the others.
 */
export function marksOf(spots, selected, scale) {
    const last = [];
    const singles = [];
    const cells = new Map();
    for (const spot of spots) {
        const single = { ...project({ lat: spot.Lat, lng: spot.Lng }), count: 1, spot };
        if (spot.Id === selected) last.push(single);
        else if (spots.length <= MOST) singles.push(single);
        else if (isInside(single)) add(single, cells, CELL * scale);
    }
    return [...singles, ...cells.values(), ...last];
}

/** What lies outside is not seen, and would be a cell of its own in each place. */
function isInside({ x, y }) {
    return x >= 0 && x <= view.width && y >= 0 && y <= view.height;
}

/** Puts a mark into its cell: those that are there already stand in the middle of all. */
function add(single, cells, size) {
    const key = `${Math.floor(single.x / size)} ${Math.floor(single.y / size)}`;
    const before = cells.get(key);
    const count = (before?.count ?? 0) + 1;
    const middle = (from, to) => from + (to - from) / count;
    cells.set(key, before ? { x: middle(before.x, single.x), y: middle(before.y, single.y), count, spot: null } : single);
}
