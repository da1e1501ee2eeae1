// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What the answer to a batch says of each transaction that was sent. */

/** How often a place may be gone before a person is asked. */
const MOST_CLASHES = 3;

/**
 * One verdict a transaction, in order:
 *
 *     { kind: "accepted", rows: [{ key, op, body, etag }] }
 *     { kind: "meets", how: "conflict" | "place" }   the rows of the service are needed
 *     { kind: "refused", code, message, status }     for the quarantine
 *     { kind: "again" }                              never executed: it gets a new number
 *     { kind: "stranger" }                           the service knows this client as another user's
 *     { kind: "unknown", retryAfter }                no decision: it is sent again as it is
 */
export function readVerdicts(answer, transactions) {
    const items = new Map((Array.isArray(answer?.responses) ? answer.responses : []).map((item) => [item.id, item]));
    return transactions.map((transaction) => {
        const answers = transaction.frozen.parts.map((part) => items.get(part.id));
        return verdict(answers, transaction);
    });
}

function verdict(answers, transaction) {
    if (answers.length === 0 || answers.some((item) => item === undefined)) return { kind: "unknown" };
    if (answers.every((item) => item.status >= 200 && item.status < 300)) {
        return { kind: "accepted", rows: transaction.frozen.parts.map((part, place) => row(part, answers[place])) };
    }
    const undecided = answers.find((item) => isUndecided(item.status));
    if (undecided) return { kind: "unknown", retryAfter: Number(header(undecided, "retry-after")) || null };
    const place = answers.findIndex((item) => item.status >= 300 && item.status !== 424);
    if (place < 0) return { kind: "again" };
    return decided(answers[place], transaction.frozen.parts[place], transaction);
}

/** Whether the service may decide later; what it does not support (501) it never will. */
function isUndecided(status) {
    return (status >= 500 && status !== 501) || [401, 408, 429].includes(status);
}

function row(part, item) {
    const etag = header(item, "etag") ?? item.body?.["@etag"] ?? null;
    return { key: part.key, op: part.op, body: item.body ?? null, etag };
}

function header(item, name) {
    const found = Object.entries(item.headers ?? {}).find(([key]) => key.toLowerCase() === name);
    return found === undefined ? undefined : found[1];
}

function decided(item, part, transaction) {
    const error = item.body?.error ?? {};
    const code = error.code ?? "Refused";
    const message = error.message ?? `The service answered ${item.status}.`;
    const moves = transaction.changes.some((change) => change.op === "insert" || "Ordinal" in (change.values ?? {}));
    if (item.status === 403 && code === "ClientOfOtherUser") return { kind: "stranger" };
    // Other bytes were decided under this number, as after a database that was put back: these were never executed.
    if (code === "RepeatabilityMismatch") return { kind: "again" };
    // Decided, and the answer is forgotten: what is there now tells, but for a row whose key is not known.
    const makesRows = transaction.changes.some((change) => change.op === "insert");
    if (item.status === 412 && !(code === "AlreadyDecided" && makesRows)) return { kind: "meets", how: "conflict" };
    if ((item.status === 404 || item.status === 410) && part.op !== "insert") return { kind: "meets", how: "conflict" };
    // Another device took the place. Where that is not the reason after all, the quarantine has it in the end.
    if (item.status === 409 && moves && (transaction.clashes ?? 0) < MOST_CLASHES) return { kind: "meets", how: "place" };
    return { kind: "refused", code, message, status: item.status };
}
