// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * One local transaction as the atomicity group that asks the service for the same.
 *
 *     { "id": "7.0", "atomicityGroup": "t7", "method": "patch", "url": "Bookmarks(3)", "headers": { "if-match": … } }
 *
 * The bytes are made once and sent again as they are until the outcome is known: an identifier belongs to exact bytes.
 */

import { PLACES, lowestFree } from "./slots.js";
import { requestID } from "./identifiers.js";

const JSON_TYPE = { "content-type": "application/json", prefer: "return=representation" };

/**
 * The group of a transaction.
 *
 * - `rows`: the rows of the service, which tell keys and ETags.
 * - `user`: whose the bookmarks are.
 * Returns `{ number, bytes, parts }`; a part says for which bookmark a request is, and what it does.
 */
export function freeze(transaction, rows, { client, number, user, now }) {
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const steps = inOrder(transaction.changes, rows);
    const requests = steps.map((step, place) => {
        const row = byKey.get(step.key);
        const request = { id: `${number}.${place}`, atomicityGroup: `t${number}`, method: METHODS[step.op] };
        const headers = step.op === "delete" ? {} : { ...JSON_TYPE };
        if (step.op === "insert") {
            request.url = "Bookmarks";
            request.body = { UserId: user, ...step.values };
        } else {
            request.url = `Bookmarks(${row.id})`;
            const earlier = steps.findIndex((other) => other.key === step.key);
            headers["if-match"] = earlier < place ? `$${number}.${earlier}` : (row.etag ?? "*");
            if (earlier < place) request.dependsOn = [`${number}.${earlier}`];
            if (step.op === "update") request.body = step.values;
        }
        if (place === 0) {
            headers["repeatability-request-id"] = requestID(client, number);
            headers["repeatability-client-id"] = client;
            headers["repeatability-first-sent"] = new Date(now).toUTCString();
        }
        request.headers = headers;
        return request;
    });
    return {
        number,
        bytes: requests.map((request) => JSON.stringify(request)).join(","),
        parts: steps.map((step, place) => ({ id: `${number}.${place}`, key: step.key, op: step.op })),
    };
}

const METHODS = { insert: "post", update: "patch", delete: "delete" };

/** The content of a batch of frozen transactions. */
export function batch(transactions) {
    return `{"requests":[${transactions.map((each) => each.frozen.bytes).join(",")}]}`;
}

/**
 * The steps of a transaction, so that no two bookmarks are ever at one place.
 *
 * The service does what frees a place first. Where bookmarks go round in a ring (two that change places are the
 * smallest), none of them can be first: one steps aside and comes back. Where all six places are taken it steps to the
 * one after the last, which the service allows inside of a group.
 */
function inOrder(changes, rows) {
    const first = ringed(changes, rows);
    if (first === null) return changes;
    const taken = new Set([...rows.map((row) => row.Ordinal), ...changes.map((change) => change.values?.Ordinal)]);
    const away = { op: "update", key: first.key, values: { Ordinal: lowestFree(taken) ?? PLACES } };
    return [away, ...changes.filter((change) => change !== first), first];
}

/** A move that begins a ring of moves, or `null`. */
function ringed(changes, rows) {
    const moves = changes.filter((change) => change.op === "update" && "Ordinal" in change.values);
    const at = new Map(rows.map((row) => [row.Ordinal, row.key]));
    for (const start of moves) {
        let move = start;
        for (let step = 0; step < moves.length; step += 1) {
            const occupant = at.get(move.values.Ordinal);
            if (occupant === start.key) return start;
            move = moves.find((other) => other.key === occupant);
            if (move === undefined) break;
        }
    }
    return null;
}
