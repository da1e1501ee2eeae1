// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Who is signed in, and the tokens; never a password.
 *
 * With "Remember me" they lie in `localStorage`, else in `sessionStorage`, which ends with the tab. The store of a user
 * has a name made by chance: neither the name of the user nor another spelling of it says which one it is.
 */

import { randomUUID } from "../model/identifiers.js";

const SESSION = "sixbookmarks.session";
const DATABASES = "sixbookmarks.databases";

export class Session {
    /** `{ user, name, database, refresh, access, expires }`, or `null` when nobody is signed in. */
    get current() {
        return parse(sessionStorage.getItem(SESSION)) ?? parse(localStorage.getItem(SESSION));
    }

    /** Takes the answer to a sign-in. */
    begin(answer, typedName, isRemembered, now) {
        this.end();
        const session = {
            user: answer.user.id,
            name: typedName,
            database: this.#databaseOf(answer.user.id),
            ...tokens(answer, now),
        };
        (isRemembered ? localStorage : sessionStorage).setItem(SESSION, JSON.stringify(session));
        return session;
    }

    /** Takes the next pair of tokens. */
    renew(answer, now) {
        const session = this.current;
        if (session === null) return;
        const storage = sessionStorage.getItem(SESSION) === null ? localStorage : sessionStorage;
        storage.setItem(SESSION, JSON.stringify({ ...session, ...tokens(answer, now) }));
    }

    /** Forgets the tokens; the data stays. */
    end() {
        sessionStorage.removeItem(SESSION);
        localStorage.removeItem(SESSION);
    }

    /** Forgets which store is the user's: it is deleted. */
    forgetDatabase(user) {
        const names = parse(localStorage.getItem(DATABASES)) ?? {};
        delete names[user];
        localStorage.setItem(DATABASES, JSON.stringify(names));
    }

    #databaseOf(user) {
        const names = parse(localStorage.getItem(DATABASES)) ?? {};
        names[user] ??= `sixbookmarks-${randomUUID()}`;
        localStorage.setItem(DATABASES, JSON.stringify(names));
        return names[user];
    }
}

function tokens(answer, now) {
    return { refresh: answer.refresh_token, access: answer.access_token, expires: now + answer.expires_in * 1000 };
}

function parse(text) {
    try {
        return text === null ? null : JSON.parse(text);
    } catch {
        return null;
    }
}
