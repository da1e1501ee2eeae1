// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Who is signed in, and the tokens; never a password.
 *
 * With "Remember me" they lie in `localStorage`, which all tabs share, else in `sessionStorage`, which ends with the tab.
 * So the sign-in that is kept may be that of somebody else than a tab works for: who asks for one says whose it is to be.
 *
 * The store of a user has a name made by chance: neither the name of the user nor another spelling of it says which one
 * it is.
 */

import { randomUUID } from "../../common/identifiers.js";
import { SessionCopies } from "../../common/session-copies.js";
import * as tabs from "../net/tabs.js";

const SESSION = "sixbookmarks.session";
const DATABASES = "sixbookmarks.databases";

export class Session {
    /** The refresh token that has served, for a copy that did not tell the next one: it sleeps, and no other request waits for it. */
    #missed = null;
    #copies = new SessionCopies(tabs, randomUUID(), () => kept(sessionStorage), (session) => sessionStorage.setItem(SESSION, JSON.stringify(session)));

    /** `{ user, name, database, refresh, access, expires }`, or `null` when nobody is signed in. */
    get current() {
        return kept(sessionStorage) ?? kept(localStorage);
    }

    /** The sign-in of a user; `null` where there is none, whoever else is signed in. */
    of(user) {
        const storage = storageOf(user);
        return storage === null ? null : kept(storage);
    }

    /** Takes the answer to a sign-in; returns the session, and the refresh tokens of those that it takes the place of. */
    begin(answer, typedName, isRemembered, now) {
        const user = answer.user.id;
        const session = { user, name: typedName, database: this.#databaseOf(user), family: randomUUID(), generation: 0, ...tokens(answer, now) };
        // What is remembered lies under what this tab alone has. What other tabs share is not the tab's to end.
        const places = isRemembered || kept(localStorage)?.user === user ? [sessionStorage, localStorage] : [sessionStorage];
        const replaced = this.#remove(places.filter((storage) => kept(storage) !== null));
        (isRemembered ? localStorage : sessionStorage).setItem(SESSION, JSON.stringify(session));
        return { session, replaced };
    }

    /** Takes the user's next pair of tokens. */
    async renew(user, answer, now) {
        const storage = storageOf(user);
        if (storage === null) return;
        const before = kept(storage);
        const session = { ...before, ...tokens(answer, now) };
        // While this tab slept over its answer, a copy used the refresh token again, and what came here is used up: it is no
        // later sign-in, and asks that copy when it is to be renewed.
        const isLater = storage === sessionStorage && !tabs.generations.hasServed(before);
        if (isLater) session.generation = before.generation + 1;
        storage.setItem(SESSION, JSON.stringify(session));
        if (!isLater) return;
        tabs.generations.note(session);
        await this.#copies.tell(session);
    }

    /** Takes the tokens that a copy of this tab has got, where the user's sign-in is of this tab alone. */
    async catchUp(user) {
        if (storageOf(user) !== sessionStorage) return;
        const session = kept(sessionStorage);
        if (this.#missed === session.refresh) this.#copies.call(session);
        else if (await this.#copies.ask(session)) this.#missed = session.refresh;
    }

    /** Whether the user's sign-in is of this tab alone, and a copy of the tab has used its refresh token. */
    isLate(user) {
        if (storageOf(user) !== sessionStorage) return false;
        const session = kept(sessionStorage);
        return tabs.generations.hasServed(session) || this.#missed === session.refresh;
    }

    /** Forgets the user's tokens; the data stays, and so does the sign-in of anybody else. */
    end(user) {
        storageOf(user)?.removeItem(SESSION);
    }

    /** Forgets all of the user's sign-ins that this tab sees, or those that it alone has; returns their refresh tokens. */
    forget(user, isOwn = false) {
        const places = isOwn ? [sessionStorage] : [sessionStorage, localStorage];
        return this.#remove(places.filter((storage) => kept(storage)?.user === user));
    }

    /**
     * Forgets how often a sign-in was renewed: the service says that it is over.
     *
     * One that was restored to an earlier state knows the tokens of a late copy, but not those of this one.
     */
    forgetGeneration(session) {
        tabs.generations.forget(session);
    }

    /** Forgets which store is the user's: it is deleted. */
    forgetDatabase(user) {
        const names = parse(localStorage.getItem(DATABASES)) ?? {};
        delete names[user];
        localStorage.setItem(DATABASES, JSON.stringify(names));
    }

    /** Removes sign-ins that are over; returns their refresh tokens. */
    #remove(places) {
        const ended = places.map((storage) => kept(storage));
        for (const storage of places) storage.removeItem(SESSION);
        for (const session of ended) tabs.generations.forget(session);
        return ended.map((session) => session.refresh);
    }

    #databaseOf(user) {
        const names = parse(localStorage.getItem(DATABASES)) ?? {};
        names[user] ??= `sixbookmarks-${randomUUID()}`;
        localStorage.setItem(DATABASES, JSON.stringify(names));
        return names[user];
    }
}

/** Where the sign-in of a user lies, or `null`. */
function storageOf(user) {
    return [sessionStorage, localStorage].find((storage) => kept(storage)?.user === user) ?? null;
}

function kept(storage) {
    return parse(storage.getItem(SESSION));
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
