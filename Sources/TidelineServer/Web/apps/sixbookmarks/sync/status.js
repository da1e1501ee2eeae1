// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The state of sync as it is always in sight: a shape, a word and a colour. */

/** What counts: transactions that wait, what was refused, conflicts to look at. */
export function count(state) {
    const refused = state.outbox.filter((each) => each.refused).length;
    return { waiting: state.outbox.length - refused, refused, conflicts: state.conflicts.length };
}

/**
 * `{ kind, text }`: what stands in the mark.
 *
 * `phase`: what the last or present synchronisation says: `rest`, `running`, `offline`, `failed`, `lost`.
 */
export function describeStatus(state, phase) {
    const { waiting, refused, conflicts } = count(state);
    if (phase === "lost") return { kind: "refused", text: "Nothing is stored" };
    if (phase === "offline") return { kind: "offline", text: waiting > 0 ? `Offline, ${waiting} waiting` : "Offline" };
    if (refused > 0) return { kind: "refused", text: `${refused} refused` };
    if (phase === "failed") return { kind: "refused", text: waiting > 0 ? `Sync failed, ${waiting} waiting` : "Sync failed" };
    if (conflicts > 0) return { kind: "conflict", text: conflicts === 1 ? "1 conflict" : `${conflicts} conflicts` };
    if (waiting > 0) return { kind: "waiting", text: `${waiting} waiting` };
    if (state.meta.received === null) return { kind: "waiting", text: "Loading" };
    return { kind: "good", text: "In step" };
}
