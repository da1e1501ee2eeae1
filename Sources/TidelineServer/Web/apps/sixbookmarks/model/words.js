// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What people named, within a sentence. */

/** What is written from right to left, or turns the direction of writing. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name in quotation marks. One that may turn the direction is isolated, or the rest of the sentence would turn round.
 *
 * Source: Unicode Standard Annex 9, section 2.4, "Explicit Directional Isolates": U+2068 to U+2069.
 */
export function quoted(name) {
    return TURNS.test(name) ? `“\u2068${name}\u2069”` : `“${name}”`;
}
