// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * One sign-in in several tabs: a tab that is duplicated has a copy of its `sessionStorage`.
 *
 * A refresh token serves once. The service takes the second use for a thief's and ends the sign-in of both, so one of the
 * copies renews it and the others take what it got:
 *
 *     tab 1: lock ── refresh R ──▶ R2 ── renewed: R2 ── unlock
 *     tab 2: lock ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ takes R2 ┄┄┄┄┄ has nothing to renew
 *
 * What was renewed while a tab slept, it is told when it asks: the generations of a family say which sign-in is the later
 * one. Where the copy that could tell sleeps itself, or is gone, the tab ends its own sign-in alone.
 */

import { isAfter } from "../../common/generations.js";
import { SessionCopies } from "../../common/session-copies.js";
import * as tabs from "./tabs.js";

export class RenewalElection {
    #copies;
    #current;
    #take;

    /** `me` tells this page from all others; `current()` is its sign-in or `null`, and `take(session)` puts in a newer one, or none. */
    constructor(me, current, take) {
        this.#copies = new SessionCopies(tabs, me, current, take);
        this.#current = current;
        this.#take = take;
    }

    /** Renews the sign-in with `work`, which returns the new one, unless a copy has renewed it. */
    renew(session, work) {
        return tabs.locks.exclusively(`tideline-fishing.renewal ${session.family}`, async () => {
            const isLate = (await this.#copies.ask(session)) || tabs.generations.hasServed(session);
            // Who was told, signed out meanwhile, or in anew, has no use for another one.
            if (this.#current() !== session) return;
            // To use the token again would end the sign-in of the copy that has used it, too.
            if (isLate) return this.#take(null);
            const renewed = await work();
            if (!renewed || !isAfter(renewed, session)) return;
            tabs.generations.note(renewed);
            await this.#copies.tell(renewed);
        });
    }

    /**
     * The sign-in after `session`, with the tokens of `answer`.
     *
     * It is no later one where a copy was given the next tokens meanwhile: while this page slept over its answer, the copy used
     * the refresh token again, and what the answer has is used up. So it asks that copy when it is to renew them.
     */
    static next(session, answer) {
        const { user, family, generation } = session;
        return { user, ...answer, family, generation: tabs.generations.hasServed(session) ? generation : generation + 1 };
    }
}
