// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The conflict log: what lost, in words, and its way back. */

import { arrange, nextFree } from "./slots.js";
import { commit } from "./outbox.js";
import { replay } from "./replay.js";
import { quoted } from "./words.js";

const WORDS = { Name: "name", Url: "address", Ordinal: "place" };

/** A value as people read it. */
export function shown(property, value) {
    return property === "Ordinal" ? `place ${value + 1}` : value;
}

/** What happened, and what the person can do. */
export function explain(entry) {
    const name = entry.name || "A bookmark";
    switch (entry.kind) {
        case "kept":
            return { title: `${quoted(name)} is still there`, text: "You deleted it, and another device had changed it.", undo: "Delete it after all" };
        case "back":
            return { title: `${quoted(name)} is back`, text: "Another device deleted it, and you had changed it.", undo: "Delete it after all" };
        case "moved":
            return {
                title: `${quoted(name)} moved to place ${entry.theirs + 1}`,
                text: `Another device took place ${entry.mine + 1} first.`,
                undo: null,
            };
        case "written":
            return {
                title: `You replaced the ${WORDS[entry.property]} of ${quoted(name)}`,
                text: "Another device had changed it while you were writing.",
                undo: "Bring theirs back",
            };
        default:
            return {
                title: `Two devices changed the ${WORDS[entry.property]} of ${quoted(name)}`,
                text: "The service has the other device's.",
                undo: "Use mine",
            };
    }
}

/** The most entries that are kept. */
const MOST_ENTRIES = 1000;

/** The state with more entries; where there are too many the oldest go, and `forgotten` counts them. */
export function record(state, entries) {
    const all = [...state.conflicts, ...entries];
    const conflicts = all.slice(-MOST_ENTRIES);
    const forgotten = (state.meta.forgotten ?? 0) + all.length - conflicts.length;
    return { ...state, conflicts, meta: { ...state.meta, forgotten } };
}

/** The state after the person was told how many entries have gone. */
export function forgive(state) {
    return { ...state, meta: { ...state.meta, forgotten: 0 } };
}

/** The state without an entry. */
export function dismiss(state, id) {
    return { ...state, conflicts: state.conflicts.filter((entry) => entry.id !== id) };
}

/** The state with what lost brought back, as a write like any other. */
export function restore(state, id) {
    const entry = state.conflicts.find((each) => each.id === id);
    if (entry === undefined) return state;
    const next = dismiss(state, id);
    const bookmarks = replay(next.rows, next.outbox);
    if (entry.kind === "kept" || entry.kind === "back") return commit(next, [{ op: "delete", key: entry.key }]);
    if (entry.property === "Ordinal") return commit(next, moveWrites(bookmarks, entry.key, entry.mine));
    const value = entry.kind === "written" ? entry.theirs : entry.mine;
    return commit(next, [{ op: "update", key: entry.key, values: { [entry.property]: value } }]);
}

/** The writes that bring a bookmark to a place; who is there comes to its place. */
export function moveWrites(bookmarks, key, place) {
    const mine = bookmarks.get(key);
    if (mine === undefined) return [];
    const { places } = arrange(bookmarks.values());
    const there = places[place];
    if (there?.key === key && mine.Ordinal === place) return [];
    const writes = [{ op: "update", key, values: { Ordinal: place } }];
    if (there && there.key !== key) {
        // One that had no place of its own leaves none: the other goes to the next that is free.
        const taken = new Set(places.flatMap((each, at) => (each === null || each.key === key ? [] : [at])));
        const own = places.findIndex((each) => each?.key === key);
        const to = own >= 0 ? own : nextFree(place, taken);
        if (to === null) return [];
        writes.push({ op: "update", key: there.key, values: { Ordinal: to } });
    }
    return writes;
}
