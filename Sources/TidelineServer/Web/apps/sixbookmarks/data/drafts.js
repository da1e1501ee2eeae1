// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * What was typed and not saved when a sign-in ended or a newer app was loaded, of each person: `{ user, hash, draft }`, with
 * the address of the form.
 *
 * It lies in the `sessionStorage` of the tab that it was typed in, until the same person opens the form of the same bookmark
 * again.
 */

const UNSAVED = "sixbookmarks.unsaved";

/** Those of a user, the last one first. */
export function draftsOf(user) {
    return all().filter((each) => each.user === user).toReversed();
}

/** Keeps one, in place of another of the same form. */
export function keepDraft(entry) {
    store([...without(entry), entry]);
}

/** Forgets one that is in its form again. */
export function dropDraft(entry) {
    store(without(entry));
}

/** Forgets those of a user. */
export function forgetDrafts(user) {
    store(all().filter((each) => each.user !== user));
}

/** All but that of the same form: of the same bookmark or, for one that is new, at the same address. */
function without({ user, hash, draft }) {
    const form = (each) => each.draft.key ?? each.hash;
    return all().filter((each) => each.user !== user || form(each) !== form({ hash, draft }));
}

function all() {
    // An app of before, which this one was loaded by, left its only one.
    return [JSON.parse(sessionStorage.getItem(UNSAVED)) ?? []].flat();
}

function store(entries) {
    if (entries.length === 0) sessionStorage.removeItem(UNSAVED);
    else sessionStorage.setItem(UNSAVED, JSON.stringify(entries));
}
