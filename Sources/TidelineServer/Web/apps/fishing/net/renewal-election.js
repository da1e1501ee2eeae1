// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * One sign-in in several tabs: a tab that is duplicated has a copy of its `sessionStorage`.
 *
 * A refresh token serves once. The service takes the second use for a thief's and ends the sign-in of both, so one of the
 * copies renews it and the others take what it got:
 *
 *     tab 1: ask R ─────────────── refresh R ──▶ R2 ── renewed: R2
 *     tab 2:      ask R ◀── wait                        takes R2
 *
 * Of tabs that ask at once the one with the lower identifier goes on. What was renewed while a tab slept, it is told when
 * it asks: the generations of a family say which sign-in is the later one. Where the copy that could tell sleeps itself, the
 * tab ends its own sign-in alone.
 */

import { hasServed, isAfter, note } from "./generations.js";

/** How long a copy has to answer, in milliseconds. */
const ANSWER = 300;
/** How long a copy has to answer that has the next token for sure. */
const NEWS = 5_000;
/** How long a copy that renews is waited for. */
const RENEWAL = 15_000;
/** How long a page that slept over the end of its wait has to hear what it was told meanwhile. */
const WAKING = 100;

export class RenewalElection {
    #channel = new BroadcastChannel("tideline-fishing.copies");
    #me;
    #current;
    #take;
    /** What is about to be renewed here, or `null`: `{ of, isSent, isAnothers, tell }`. */
    #claim = null;

    /** `me` tells this page from all others; `current()` is its sign-in or `null`, and `take(session)` puts in a newer one, or none. */
    constructor(me, current, take) {
        this.#me = me;
        this.#current = current;
        this.#take = take;
        this.#channel.onmessage = ({ data }) => this.#heard(data);
    }

    /** Renews the sign-in with `work`, which returns the new one, unless a copy has renewed it. */
    async renew(session, work) {
        const of = { family: session.family, generation: session.generation };
        const claim = (this.#claim = { of, isSent: false, isAnothers: false, tell: () => {} });
        let renewed = null;
        try {
            // Who signs out meanwhile, or in anew, has no use for either.
            while (this.#current() === session) {
                claim.isAnothers = false;
                const isLate = hasServed(session);
                await this.#word(claim, isLate ? NEWS : ANSWER, () => this.#post({ kind: "ask", of, id: this.#me }));
                if (claim.isAnothers) await this.#word(claim, RENEWAL);
                else if (isLate) {
                    // To use the token again would end the sign-in of the copy that sleeps, too.
                    if (this.#current() === session) this.#take(null);
                    return;
                }
                // What a copy noted while this page slept in the middle of its wait, it is asked for.
                else if (!hasServed(session)) break;
            }
            if (this.#current() !== session) return;
            claim.isSent = true;
            const answered = await work();
            if (answered && isAfter(answered, session)) {
                renewed = answered;
                note(renewed);
            }
        } finally {
            this.#claim = null;
            if (renewed) this.#post({ kind: "renewed", session: renewed });
            else this.#post({ kind: "failed", of });
        }
    }

    /**
     * The sign-in after `session`, with the tokens of `answer`.
     *
     * It is no later one where a copy was given the next tokens meanwhile: while this page slept over its answer, the copy used
     * the refresh token again, and what the answer has is used up. So it asks that copy when it is to renew them.
     */
    static next(session, answer) {
        const { user, family, generation } = session;
        return { user, ...answer, family, generation: hasServed(session) ? generation : generation + 1 };
    }

    #post(message) {
        this.#channel.postMessage(message);
    }

    /** Waits for what decides a claim, at most so long. */
    #word(claim, milliseconds, begin = () => {}) {
        return new Promise((resolve) => {
            let timer = setTimeout(() => (timer = setTimeout(resolve, WAKING)), milliseconds);
            claim.tell = () => (clearTimeout(timer), resolve());
            begin();
        });
    }

    #heard({ kind, of, id, session }) {
        if (kind === "renewed") return this.#told(session);
        const current = this.#current();
        const claim = this.#claim && isOne(this.#claim.of, of) ? this.#claim : null;
        if (kind === "ask") {
            // A late tab would give away what has served.
            if (current && isAfter(current, of) && !hasServed(current)) this.#post({ kind: "renewed", session: current });
            else if (claim && (claim.isSent || this.#me < id)) this.#post({ kind: "wait", of, id });
            else if (claim) this.#yield(claim);
        } else if (kind === "wait") {
            if (claim && id === this.#me) this.#yield(claim);
        } else if (kind === "failed" && claim?.isAnothers) claim.tell();
    }

    #told(session) {
        const current = this.#current();
        // What this page is being given itself is the newer one.
        if (!current || !isAfter(session, current) || this.#claim?.isSent) return;
        this.#take(session);
        this.#claim?.tell();
    }

    /** Leaves the token to another copy, which says what became of it. */
    #yield(claim) {
        if (claim.isSent || claim.isAnothers) return;
        claim.isAnothers = true;
        claim.tell();
    }
}

/** Whether two say the same sign-in, renewed as often. */
function isOne(one, other) {
    return one.family !== undefined && one.family === other.family && one.generation === other.generation;
}
