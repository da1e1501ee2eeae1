// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * One sign-in in several tabs: a tab that is duplicated has a copy of its `sessionStorage`.
 *
 * A refresh token serves once. The service takes the second use for a thief's and ends the sign-in of both, so one of the
 * copies renews it and the others take what it got:
 *
 *     tab 1: ask R ─────────────── refresh R ──▶ R2 ── renewed R: R2
 *     tab 2:      ask R ◀── wait                        takes R2
 *
 * Of tabs that ask at once the one with the lower identifier goes on. What was renewed while a tab slept, it is told when
 * it asks: a sign-in knows the tokens that were before. Where the copy that could tell sleeps itself, the tab ends its own
 * sign-in alone.
 */

import { hasServed, note } from "./generations.js";

/** How long a copy has to answer, in milliseconds. */
const ANSWER = 300;
/** How long a copy has to answer that has the next token for sure. */
const NEWS = 5_000;
/** How long a copy that renews is waited for. */
const RENEWAL = 15_000;
/** How many tokens before the last one a sign-in knows: those of a day. */
const MOST_SPENT = 100;

export class RenewalElection {
    #channel = new BroadcastChannel("tideline-fishing.copies");
    #me;
    #current;
    #take;
    /** What is about to be renewed here, or `null`: `{ token, isSent, isAnothers, tell }`. */
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
        const token = session.refresh_token;
        const claim = (this.#claim = { token, isSent: false, isAnothers: false, tell: () => {} });
        let renewed = null;
        try {
            // Who signs out meanwhile, or in anew, has no use for either.
            while (this.#current() === session) {
                claim.isAnothers = false;
                const isLate = hasServed(session);
                await this.#word(claim, isLate ? NEWS : ANSWER, () => this.#post({ kind: "ask", token, id: this.#me }));
                if (claim.isAnothers) await this.#word(claim, RENEWAL);
                // A page that slept in the middle of its wait has not heard yet what it was told meanwhile.
                else if (isLate || !hasServed(session)) break;
            }
            if (this.#current() !== session) return;
            if (hasServed(session)) {
                // To use the token again would end the sign-in of the copy that sleeps, too.
                this.#take(null);
                return;
            }
            claim.isSent = true;
            renewed = await work();
            if (renewed) note(renewed);
        } finally {
            this.#claim = null;
            if (renewed) this.#post({ kind: "renewed", token, session: renewed });
            else if (claim.isSent || this.#current() === null) this.#post({ kind: "failed", token });
        }
    }

    /** The sign-in after `session`, with the tokens of `answer`. */
    static next(session, answer) {
        const spent = [...(session.spent ?? []), session.refresh_token].slice(-MOST_SPENT);
        const { user, family, generation = 0 } = session;
        return { user, ...answer, family, generation: generation + 1, spent };
    }

    #post(message) {
        this.#channel.postMessage(message);
    }

    /** Waits for what decides a claim, at most so long. */
    #word(claim, milliseconds, begin = () => {}) {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            claim.tell = () => (clearTimeout(timer), resolve());
            begin();
        });
    }

    #heard({ kind, token, id, session }) {
        const current = this.#current();
        const claim = this.#claim?.token === token ? this.#claim : null;
        if (kind === "ask") {
            if (current?.spent?.includes(token)) this.#post({ kind: "renewed", token, session: current });
            else if (claim && (claim.isSent || this.#me < id)) this.#post({ kind: "wait", token, id });
            else if (claim) this.#yield(claim);
        } else if (kind === "wait") {
            if (claim && id === this.#me) this.#yield(claim);
        } else if (kind === "renewed") {
            // What this page is being given itself is the newer one.
            if (current?.refresh_token !== token || claim?.isSent) return;
            this.#take(session);
            claim?.tell();
        } else if (kind === "failed" && claim?.isAnothers) claim.tell();
    }

    /** Leaves the token to another copy, which says what became of it. */
    #yield(claim) {
        if (claim.isSent || claim.isAnothers) return;
        claim.isAnothers = true;
        claim.tell();
    }
}
