// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * How often each sign-in was renewed, in `localStorage`, which all tabs share.
 *
 * A tab that is duplicated has a copy of the sign-in, and a copy that sleeps can tell nobody that it has renewed it. So it
 * notes that, and a tab with an older refresh token sees that this has served. Tokens are not among what is noted: a family
 * is a name made by chance at the sign-in. Each has a key of its own, so that two tabs write over nothing of each other.
 */
export class Generations {
    #prefix;

    /** `app`: what the app's keys begin with. */
    constructor(app) {
        this.#prefix = `${app}.generation.`;
    }

    /** Whether the refresh token of a sign-in has served: a copy has a later one. */
    hasServed({ family, generation }) {
        try {
            return Number(localStorage.getItem(this.#prefix + family)) > generation;
        } catch {
            return false;
        }
    }

    /** Notes a sign-in that was renewed just now. */
    note({ family, generation }) {
        if (family === undefined) return;
        try {
            localStorage.setItem(this.#prefix + family, generation);
        } catch {
            // A browser that stores no more: copies that are awake tell each other.
        }
    }

    /** Forgets a sign-in that is over. */
    forget({ family }) {
        try {
            localStorage.removeItem(this.#prefix + family);
        } catch {
            // A browser that stores nothing has nothing of it.
        }
    }
}

/** Whether a sign-in is what comes after another one of its family. */
export function isAfter(session, { family, generation }) {
    // One that began under an older app has no family.
    return family !== undefined && session.family === family && session.generation > generation;
}
