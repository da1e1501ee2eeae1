// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tabs that were duplicated: each has a copy of what the `sessionStorage` of the other held, and so one sign-in with it.
 *
 * A refresh token serves once, and its second use ends the sign-in of all. So who has renewed it tells the others, and who
 * is about to asks first: a tab that slept, or that the browser threw away and brought back, has heard nothing. A sign-in
 * knows the tokens that were before.
 */

export class SessionCopies {
    #channel = new BroadcastChannel("sixbookmarks-copies");
    #read;
    #write;
    #told = () => {};

    /** `read()` is the sign-in that this tab alone has, or `null`; `write(session)` puts in a newer one. */
    constructor(read, write) {
        this.#read = read;
        this.#write = write;
        this.#channel.onmessage = ({ data }) => this.#heard(data);
    }

    /** Asks for the sign-in that a copy has after this one, for so long; it is written where there is one. */
    ask({ refresh }, milliseconds) {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            this.#told = () => (clearTimeout(timer), resolve());
            this.#channel.postMessage({ refresh });
        });
    }

    /** Tells the copies what comes after a refresh token. */
    tell(refresh, session) {
        this.#channel.postMessage({ refresh, session });
    }

    #heard({ refresh, session }) {
        const mine = this.#read();
        if (session === undefined) {
            if (mine?.spent?.includes(refresh)) this.tell(refresh, mine);
        } else if (mine?.refresh === refresh) {
            this.#write(session);
            this.#told();
        }
    }
}
