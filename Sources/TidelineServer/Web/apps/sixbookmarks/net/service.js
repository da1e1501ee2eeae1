// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The service as this app uses it: `/odata/sixbookmarks/` with a token of `/auth/sixbookmarks/`. */

import { locks } from "./tabs.js";

const ROOT = "/odata/sixbookmarks/";
const AUTH = "/auth/sixbookmarks/";
const TIMEOUT = 30_000;
/** A token that ends within this time is renewed first. */
const MARGIN = 20_000;

/**
 * What went wrong with a request.
 *
 * `kind`: `offline` (no answer), `signed-out` (the person must sign in), `rejected` (wrong name or password), `later`
 * (the service asks to wait), `gone` (the delta link is too old), `refused` (anything else the service said no to).
 */
export class ServiceError extends Error {
    constructor(kind, message, { status = 0, code = "", retryAfter = null } = {}) {
        super(message);
        Object.assign(this, { kind, status, code, retryAfter });
    }
}

export class Service {
    #session;
    #user;

    /** `user`: who the requests are of; `null` for who has no name yet, and signs in or registers alone. */
    constructor(session, user = null) {
        this.#session = session;
        this.#user = user;
    }

    /** The service as a user has it: no request of it goes with the tokens of somebody else. */
    of(user) {
        return new Service(this.#session, user);
    }

    /** The user's sign-in. Another tab may have ended it, or somebody else may have signed in there. */
    get #current() {
        return this.#session.of(this.#user);
    }

    /** Signs in; returns the answer with its tokens. */
    async signIn(username, password) {
        const response = await send(AUTH + "token", jsonBody({ grant_type: "password", username, password, device: "Browser" }));
        if (response.status === 401) {
            throw new ServiceError("rejected", "The name or the password is wrong.", { status: 401 });
        }
        if (!response.ok) throw await failure(response);
        return response.json();
    }

    /** Makes a user of that name, who is signed in then; returns the answer with the tokens. */
    async register(username, password) {
        const response = await send(AUTH + "register", jsonBody({ username, password, device: "Browser" }));
        if (!response.ok) throw await failure(response);
        return response.json();
    }

    /** Ends a session on the service; `false` where it could not be told. */
    async signOut(refresh) {
        try {
            return (await send(AUTH + "revoke", jsonBody({ refresh_token: refresh }))).ok;
        } catch {
            return false;
        }
    }

    /** Reads an address of the service: a link it gave, or one below its root. */
    async read(link, headers = {}) {
        return json(await this.request(link, { headers }));
    }

    /** Sends a batch. */
    async batch(body) {
        const headers = { "Content-Type": "application/json", Prefer: "continue-on-error" };
        return json(await this.request("$batch", { method: "POST", headers, body }));
    }

    /** A request with the token; where that has ended it is renewed, once. */
    async request(link, options = {}) {
        // The service's links name a host; the way to it may be another, through a proxy. A page may ask its own alone.
        const url = new URL(link, new URL(ROOT, location.href));
        const path = url.pathname + url.search;
        const started = this.#current;
        if (started === null) throw signedOut();
        const isOver = started.expires - Date.now() < MARGIN;
        let token = isOver ? await this.#renew(started.access) : started.access;
        let response = await send(path, withToken(options, token));
        // Who is late was left the token, and has asked the copies of the tab already.
        const isLate = isOver && token === started.access;
        if (response.status === 401 && !isLate) {
            token = await this.#renew(token);
            response = await send(path, withToken(options, token));
        }
        if (response.status === 401) throw signedOut();
        if (!response.ok) throw await failure(response);
        return response;
    }

    /**
     * A new access token, unless another tab of the user has brought one: a refresh token serves once.
     *
     * The old one where a copy of this tab has used the refresh token and sleeps: to use that again would end the sign-in of
     * the copy, too. Whether the old one still serves is the service's word alone, which a tab without a connection waits for.
     */
    #renew(old) {
        return locks.exclusively(`sixbookmarks-session-${this.#user}`, async () => {
            if (this.#current?.access === old) await this.#session.catchUp(this.#user);
            const session = this.#current;
            if (session === null) throw signedOut();
            if (session.access !== old) return session.access;
            if (this.#session.isLate(this.#user)) return old;
            const body = { grant_type: "refresh_token", refresh_token: session.refresh };
            const response = await send(AUTH + "token", jsonBody(body));
            if (response.status === 400 || response.status === 401) {
                this.#session.forgetGeneration(session);
                // A sign-in that began meanwhile has ended this one; its own tokens are good.
                const now = this.#current;
                if (now === null || now.refresh === session.refresh) throw signedOut();
                return now.access;
            }
            if (!response.ok) throw await failure(response);
            const answer = await response.json();
            const now = this.#current;
            // Another tab was given the next tokens while this one slept: to end these would end theirs.
            if (now !== null && now.refresh !== session.refresh && now.family === session.family) return now.access;
            if (now?.refresh !== session.refresh) {
                // The sign-in has ended meanwhile, or begun anew: these tokens are kept nowhere, and so are to be none.
                this.signOut(answer.refresh_token);
                if (now === null) throw signedOut();
                return now.access;
            }
            await this.#session.renew(this.#user, answer, Date.now());
            return answer.access_token;
        });
    }
}

function signedOut() {
    return new ServiceError("signed-out", "Your sign-in has ended.", { status: 401 });
}

function jsonBody(value) {
    return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

function withToken(options, token) {
    const headers = { Accept: "application/json", "OData-MaxVersion": "4.01", ...options.headers, Authorization: `Bearer ${token}` };
    return { ...options, headers };
}

async function send(path, { signal, isStream = false, ...options }) {
    const limits = [signal, isStream ? null : AbortSignal.timeout(TIMEOUT)].filter(Boolean);
    try {
        return await fetch(path, { ...options, signal: AbortSignal.any(limits), cache: "no-store", credentials: "omit", redirect: "error" });
    } catch {
        throw new ServiceError("offline", "The service does not answer.");
    }
}

/** What a proxy or a cut connection leaves of an answer is none: it is asked for again. */
async function json(response) {
    try {
        return await response.json();
    } catch {
        throw new ServiceError("later", "The service's answer cannot be read.");
    }
}

async function failure(response) {
    let error = {};
    try {
        error = (await response.json()).error ?? {};
    } catch {
        // Not the service's own answer, as of a proxy: the status says enough.
    }
    const { status } = response;
    const details = { status, code: error.code ?? `HTTP ${status}`, retryAfter: Number(response.headers.get("Retry-After")) || null };
    const isLater = status === 408 || status === 429 || (status >= 500 && status !== 501);
    const kind = status === 410 ? "gone" : isLater ? "later" : "refused";
    return new ServiceError(kind, error.message ?? `The service answered ${status}.`, details);
}
