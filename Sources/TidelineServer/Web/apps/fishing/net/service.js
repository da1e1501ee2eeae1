// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The service as this app uses it: `/odata/fishing/` with a token of `/auth/fishing/`. */

import { isAfter } from "../../common/generations.js";
import { randomUUID } from "../../common/identifiers.js";
import { RenewalElection } from "./renewal-election.js";
import { generations } from "./tabs.js";

const ROOT = "/odata/fishing/";
const AUTH = "/auth/fishing/";
const KEY = "tideline-fishing";
/** How long an answer is waited for, in milliseconds; for a picture, which may be large, there is no limit. */
const TIMEOUT = 30_000;
/** This page as the service knows it. */
const CLIENT = randomUUID();

/**
 * What went wrong. `kind`: `offline`, `signed-out`, `rejected` (name or password), `later` (the service failed, or asks to
 * wait), `refused` (all else). Of a write it is not known after `offline` and `later` whether it happened.
 *
 * `details`: `{ target, message }` of each property that the service says is wrong.
 */
export class ServiceError extends Error {
    constructor(kind, message, code = "", details = []) {
        super(message);
        Object.assign(this, { kind, code, details });
    }
}

export class Service {
    #session = stored();
    #renewal = null;
    #election = new RenewalElection(CLIENT, () => this.#current, (session) => this.#keep(session));

    /** Who is signed in: `id` and `name`; `null` for nobody. */
    get user() {
        return this.#session?.user ?? null;
    }

    async signIn(username, password) {
        const response = await send(AUTH + "token", json({ grant_type: "password", username, password, device: "Browser" }));
        if (response.status === 401) throw new ServiceError("rejected", "The name or the password is wrong.");
        if (!response.ok) throw await failure(response);
        this.#keep({ ...(await content(response)), family: randomUUID(), generation: 0 });
    }

    async signOut() {
        const token = this.#session?.refresh_token;
        if (token) generations.forget(this.#session);
        this.#keep(null);
        if (token) await send(AUTH + "revoke", json({ refresh_token: token })).catch(() => {});
    }

    /** All entities of a query, page by page. */
    async list(path, signal) {
        const rows = [];
        for (let next = path; next; ) {
            const page = await content(await this.#request(next, { signal }));
            rows.push(...page.value);
            next = page["@nextLink"] ?? page["@odata.nextLink"] ?? null;
        }
        return rows;
    }

    /** What lies at an address, such as a picture: an `<img>` could not send the token. */
    async blob(path) {
        return (await this.#request(path, { headers: { Accept: "*/*" }, isLarge: true })).blob();
    }

    /** Makes an entity, once for a `request` that is sent again. */
    async create(set, entity, request) {
        const { headers, ...options } = json(entity);
        const response = await this.#request(set, { ...options, headers: { ...headers, ...request } });
        return content(response);
    }

    /** The newest spot of an owner that is as `spot` says, or `null`. */
    async spot(owner, spot) {
        const name = encodeURIComponent(spot.Name.replaceAll("'", "''"));
        const found = await this.list(`FishingSpots?$filter=OwnerId eq ${owner} and Name eq '${name}'&$orderby=Id desc`);
        const isSame = (row) => Object.keys(spot).every((key) => (row[key] ?? "") === spot[key]);
        return found.find(isSame) ?? null;
    }

    async remove(path) {
        await this.#request(path, { method: "DELETE" });
    }

    /**
     * The sign-in of this tab, or `null`.
     *
     * A page that the browser kept while the person was at another one of this tab, which renewed the sign-in, comes back with
     * the one of before.
     */
    get #current() {
        const kept = stored();
        if (kept && this.#session && isAfter(kept, this.#session)) this.#session = kept;
        return this.#session;
    }

    #keep(session) {
        this.#session = session;
        if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
        else sessionStorage.removeItem(KEY);
    }

    async #request(path, options) {
        const user = this.user?.id;
        for (let isFirst = true; ; isFirst = false) {
            // What one person asked for is not done in the name of another, who signed in meanwhile.
            if (this.#session === null) throw new ServiceError("signed-out", "Your sign-in has ended.");
            if (this.user.id !== user) throw new ServiceError("signed-out", "Sign in to go on.");
            const headers = {
                Accept: "application/json",
                "OData-MaxVersion": "4.01",
                ...options.headers,
                Authorization: `Bearer ${this.#session.access_token}`,
            };
            const session = this.#session;
            const address = path.startsWith("/") || path.startsWith("http") ? path : ROOT + path;
            const response = await send(address, { ...options, headers });
            if (response.ok) return response;
            if (response.status !== 401) throw await failure(response);
            // A copy of this tab has renewed the sign-in meanwhile, or it has ended.
            if (this.#session !== session) continue;
            if (isFirst) await (this.#renewal ??= this.#renew().finally(() => (this.#renewal = null)));
            else this.#end(session);
        }
    }

    /** Ends a sign-in that the service takes no more. */
    #end(session) {
        generations.forget(session);
        this.#keep(null);
    }

    /** A new access token for the refresh token; where that has ended too nobody is signed in. */
    async #renew() {
        const session = this.#session;
        await this.#election.renew(session, async () => {
            const body = json({ grant_type: "refresh_token", refresh_token: session.refresh_token });
            const response = await send(AUTH + "token", body);
            const hasEnded = response.status === 400 || response.status === 401;
            if (!response.ok && !hasEnded) throw await failure(response);
            // A service that was restored to an earlier state knows the tokens of a late copy, but not these.
            if (hasEnded) generations.forget(session);
            const answer = hasEnded ? null : await content(response);
            const renewed = answer && RenewalElection.next(session, answer);
            if (this.#current === session) {
                this.#keep(renewed);
                return renewed;
            }
            // Somebody signed out meanwhile, or in anew: nobody has these tokens, and so they are to be none.
            const isOrphan = answer && this.#session?.family !== session.family;
            if (isOrphan) await send(AUTH + "revoke", json({ refresh_token: answer.refresh_token })).catch(() => {});
            return null;
        });
        if (this.#session === null) throw new ServiceError("signed-out", "Your sign-in has ended.");
    }
}

/** The sign-in that this tab has stored, or `null`. */
function stored() {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

/**
 * The headers of a request that happens once, however often it is sent.
 *
 * Source: OASIS Repeatable Requests 1.0, section 2.
 */
export function repeatable() {
    return {
        "Repeatability-Request-ID": randomUUID(),
        "Repeatability-Client-ID": CLIENT,
        "Repeatability-First-Sent": new Date().toUTCString(),
    };
}

function json(body) {
    return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function send(address, { signal, isLarge = false, ...options }) {
    try {
        return await fetch(address, { ...options, signal: isLarge ? signal : limited(signal) });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new ServiceError("offline", "The service does not answer.");
    }
}

/** A signal that also ends after the time that an answer is waited for. */
function limited(signal) {
    const limit = AbortSignal.timeout(TIMEOUT);
    return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** The JSON of an answer that may be cut. */
async function content(response) {
    try {
        return await response.json();
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new ServiceError("offline", "The service's answer cannot be read.");
    }
}

async function failure(response) {
    const error = (await response.json().catch(() => ({}))).error ?? {};
    const whole = error.target ? [error] : [];
    const details = (error.details ?? whole).filter((detail) => detail.message).map(({ target, message }) => ({ target, message }));
    const words = details.map((detail) => detail.message).join(" ") || error.message;
    const isLater = response.status === 408 || response.status === 429 || (response.status >= 500 && response.status !== 501);
    return new ServiceError(isLater ? "later" : "refused", words || `The service answered ${response.status}.`, error.code, details);
}
