// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * How often each sign-in that has copies was renewed, in `localStorage`, which all tabs share.
 *
 * A copy that sleeps can tell nobody that it has renewed the sign-in. So it notes that, and a tab with an older refresh
 * token sees that this has served. Tokens are not among what is noted: a family is a name made by chance at the sign-in.
 */

const GENERATIONS = "tideline-fishing.generations";
const MOST_FAMILIES = 20;

/** Whether the refresh token of a sign-in has served: a copy has a later one. */
export function hasServed({ family, generation }) {
    const noted = generations().find(([each]) => each === family);
    return noted !== undefined && noted[1] > generation;
}

/** Notes a sign-in that was renewed just now. */
export function note({ family, generation }) {
    // One that began under an older app has none.
    if (family !== undefined) keep([...others(family), [family, generation]].slice(-MOST_FAMILIES));
}

/** Forgets a sign-in that is over. */
export function forget({ family }) {
    const left = others(family);
    if (left.length < generations().length) keep(left);
}

function others(family) {
    return generations().filter(([each]) => each !== family);
}

function keep(noted) {
    try {
        if (noted.length === 0) localStorage.removeItem(GENERATIONS);
        else localStorage.setItem(GENERATIONS, JSON.stringify(noted));
    } catch {
        // A browser that stores no more: copies that are awake tell each other.
    }
}

function generations() {
    try {
        const noted = JSON.parse(localStorage.getItem(GENERATIONS));
        return Array.isArray(noted) ? noted : [];
    } catch {
        return [];
    }
}
