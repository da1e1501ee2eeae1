// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * What was typed and not saved, of each person: `{ user, draft }` and what else the app says of it.
 *
 * It is kept as it is typed, and is there when the same person comes back to the form, until it is saved or given up. It lies
 * in the `sessionStorage` of the tab that it was typed in; what a browser does not store is there as long as the page is.
 */
export class Drafts {
    #key;
    #formOf;
    /** All of them, where the browser did not store them; else `null`. */
    #held = null;

    /** `key`: where they lie; `formOf(entry)`: which form of its user an entry is of, each of which has one. */
    constructor(key, formOf) {
        this.#key = key;
        this.#formOf = formOf;
    }

    /** Those of a user, the last one first. */
    of(user) {
        return this.#all().filter((each) => each.user === user).toReversed();
    }

    /** Keeps one, in place of another of the same form. */
    keep(entry) {
        this.#store([...this.#without(entry), entry]);
    }

    /** Ends that of the same form: it is saved, or given up. */
    drop(entry) {
        this.#store(this.#without(entry));
    }

    /** Forgets those of a user. */
    forget(user) {
        const others = this.#all().filter((each) => each.user !== user);
        // Nothing of theirs stays, also where the browser stores no more.
        this.#store([]);
        this.#store(others);
    }

    #without(entry) {
        return this.#all().filter((each) => each.user !== entry.user || this.#formOf(each) !== this.#formOf(entry));
    }

    #all() {
        if (this.#held !== null) return this.#held;
        try {
            // An app of before, which this one was loaded by, left its only one.
            return [JSON.parse(sessionStorage.getItem(this.#key)) ?? []].flat();
        } catch {
            return [];
        }
    }

    #store(entries) {
        try {
            if (entries.length === 0) sessionStorage.removeItem(this.#key);
            else sessionStorage.setItem(this.#key, JSON.stringify(entries));
            this.#held = null;
        } catch {
            this.#held = entries;
        }
    }
}
