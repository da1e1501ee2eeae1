// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** One synchronisation: send what waits, read what changed, until both are in step. */

import { batch, freeze } from "../model/groups.js";
import { fold, sendable } from "../model/outbox.js";
import { randomUUID } from "../../common/identifiers.js";
import { readVerdicts } from "../model/verdicts.js";
import { receiveAll, receiveChanges } from "../model/received.js";
import { settle } from "../model/settle.js";
import { locks } from "../net/tabs.js";
import { ServiceError } from "../net/service.js";

/** The most transactions of a batch. */
const FULL_BATCH = 50;
/** The most times that what waits meets news of the service in one synchronisation. */
const MOST_ROUNDS = 8;
/** The most times that a read is begun anew because another tab has read on. */
const MOST_READS = 3;

/**
 * Runs one synchronisation of a user's store; no other tab runs one beside it.
 *
 * `isDoubtful`: the service did not answer the last time. Then a read goes first, so that what was written since is not
 * sent, and so fixed, before there is somebody to take it.
 */
export function synchronise(database, service, user, lockName, isDoubtful) {
    return locks.exclusively(`sixbookmarks-sync-${lockName}`, async () => {
        if (isDoubtful && !(await database.read()).outbox.some((each) => each.frozen)) await pull(database, service);
        for (let round = 0; round < MOST_ROUNDS; round += 1) {
            while (await push(database, service, user));
            await pull(database, service);
            const state = await database.read();
            if (!state.outbox.some((each) => each.frozen) && sendable(state).length === 0) return;
        }
        throw new ServiceError("later", "The bookmarks changed on the service each time before yours arrived.");
    });
}

/** Sends one batch; `false` when there is nothing to send before the next read. */
async function push(database, service, user) {
    const { after } = await database.change((state) => freezeNext(state, user));
    const sent = after.outbox.filter((each) => each.frozen);
    if (sent.length === 0) return false;
    const verdicts = await decide(database, service, sent);
    const undecided = verdicts.find((each) => each.kind === "unknown");
    if (undecided) {
        throw new ServiceError("later", "The service did not decide everything yet.", { retryAfter: undecided.retryAfter });
    }
    return !verdicts.some((each) => each.kind === "meets");
}

/** Sends transactions, and stores what becomes of each; returns the verdicts. */
async function decide(database, service, sent) {
    const verdicts = await ask(service, sent);
    if (verdicts === null) {
        const each = [];
        for (const one of sent) each.push(...(await decide(database, service, [one])));
        return each;
    }
    await database.change((state) => settle(state, verdicts, sent, Date.now()));
    return verdicts;
}

/**
 * The verdicts of a batch. One that is refused as a whole was not executed, and nobody is helped by sending it for ever.
 *
 * `null` for one of several transactions: one of them may be the reason, and the others go without it.
 */
async function ask(service, sent) {
    try {
        return readVerdicts(await service.batch(batch(sent)), sent);
    } catch (error) {
        if (error.status !== 400 && error.status !== 413) throw error;
        if (sent.length > 1) return null;
        return [{ kind: "refused", code: error.code, message: error.message, status: error.status }];
    }
}

/**
 * What was sent and has no outcome goes again, as it is, before anything else. Else the next transactions are given
 * their numbers and their bytes, before the first of them leaves.
 */
function freezeNext(state, user) {
    if (state.outbox.some((each) => each.frozen)) return state;
    const folded = { ...state, outbox: fold(state.outbox) };
    const chosen = sendable(folded).slice(0, FULL_BATCH);
    if (chosen.length === 0) return folded;
    const client = state.meta.client ?? randomUUID();
    let { lastNumber } = state.meta;
    const outbox = folded.outbox.map((each) => {
        if (!chosen.includes(each)) return each;
        lastNumber += 1;
        return { ...each, frozen: freeze(each, state.rows, { client, number: lastNumber, user, now: Date.now() }) };
    });
    return { ...folded, outbox, meta: { ...state.meta, client, lastNumber } };
}

/** Reads what changed, and again where another tab has read on meanwhile: what came here may be older. */
async function pull(database, service) {
    for (let turn = 0; turn < MOST_READS; turn += 1) if (await read(database, service)) return;
}

/**
 * Reads what changed and applies it at once; all of it, the first time and when the service has forgotten our link.
 *
 * `false` where the store has another link by then, so that nothing is applied.
 */
async function read(database, service) {
    const { meta } = await database.read();
    const apply = async (receive, { items, link }) => {
        const { before, after } = await database.change((state) => {
            return state.meta.deltaLink === meta.deltaLink ? receive(state, items, link, Date.now()) : state;
        });
        return after !== before;
    };
    if (meta.deltaLink !== null) {
        try {
            return await apply(receiveChanges, await pages(service, meta.deltaLink));
        } catch (error) {
            const isUnknown = error.kind === "refused" && error.code === "InvalidToken";
            if (error.kind !== "gone" && !isUnknown) throw error;
        }
    }
    return apply(receiveAll, await pages(service, "Bookmarks", { Prefer: "track-changes" }));
}

/** All pages of an answer: nothing is applied before the last one is here. */
async function pages(service, first, headers = {}) {
    const items = [];
    let link = first;
    for (;;) {
        const page = await service.read(link, headers);
        if (!Array.isArray(page?.value)) throw new ServiceError("later", "The service's answer cannot be read.");
        items.push(...page.value);
        if (page["@nextLink"]) link = page["@nextLink"];
        else return { items, link: page["@deltaLink"] ?? null };
    }
}
