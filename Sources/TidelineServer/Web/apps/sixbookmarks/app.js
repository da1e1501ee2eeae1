// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Starts the app and ties its parts together. */

import { drafts } from "./data/drafts.js";
import { Session } from "./data/session.js";
import { Service } from "./net/service.js";
import { Device } from "./sync/device.js";
import { aboutView } from "./views/about.js";
import { configureView } from "./views/configure.js";
import { addressOf, editorView, isTarget, keyAt } from "./views/editor.js";
import { fillIcons } from "./views/icons.js";
import { listenForKeys } from "./views/keys.js";
import { missingView } from "./views/missing.js";
import { navigatorView } from "./views/navigator.js";
import { registerView } from "./views/register.js";
import { Shell } from "./views/shell.js";
import { signInView } from "./views/sign-in.js";
import { syncView } from "./views/sync-sheet.js";
import { followUpdates } from "./data/updates.js";

const session = new Session();
const service = new Service(session);
const shell = new Shell();
const tools = {
    say: (text) => shell.say(text),
    offer: (...what) => shell.offer(...what),
    go: (hash) => (location.hash = hash),
    attempt,
    isTyped: (address) => device !== null && draftFor(address) !== null,
    dropDraft: (user, key) => drafts.drop({ user, draft: { key } }),
};
let device = null;
/** The last opening of a store: one that ends later and is another was overtaken. */
let opening = null;
/** Whether the door is shown: the forms of who is not signed in. */
let isOutside = false;
/** The view that is shown to who is signed in. */
let shown = null;
/** How long a sign-out waits for other tabs to let go of the store, in milliseconds. */
const LETTING_GO = 2_000;

/** Offers the newer app again, where there is one and the offer was not closed: it is no matter of one view. */
let offerNewer = () => {};

function announce(text, verb, load) {
    offerNewer = () => shell.offer(text, verb, load, () => (offerNewer = () => {}));
    offerNewer();
}

/** Does what a person asked for; `false` where it was not done, which they are told. */
async function attempt(work) {
    try {
        await work();
        return true;
    } catch (error) {
        shell.tell(error.message);
        return false;
    }
}

/** The views by the names in their addresses. */
const views = new Map([
    ["", () => navigatorView(device)],
    ["configure", () => configureView(device, tools)],
    ["edit", (hash) => editView(hash, decoded(hash.split("/")[2] ?? "1"))],
    ["sync", () => syncView(device, tools)],
    ["about", () => aboutView(device)],
]);

/** The name in an address, `configure` of `#/configure`; of one that is none `undefined`. */
function nameOf(hash) {
    const [start, name, ...rest] = hash.split("/");
    return start === "#" && rest.length <= (name === "edit" ? 1 : 0) ? name : undefined;
}

/** The view of an address that has one. */
function viewOf(hash) {
    return views.get(nameOf(hash))(hash);
}

/** The form for what an address names, or what to say where nothing is there. */
function editView(hash, target) {
    const left = draftFor(addressOf(device, keyAt(device, target), hash));
    // What was typed is never lost, whatever has become of the bookmark.
    if (left === null && !isTarget(device, target)) return missingView(device, target, route);
    const form = { user: device.session.user, hash: left?.hash ?? hash };
    const keep = (key, draft) => (draft === null ? drafts.drop({ ...form, draft: { key } }) : drafts.keep({ ...form, draft }));
    return editorView(device, target, { ...tools, keep }, left?.draft ?? null);
}

/** What was typed in the form of an address and not saved. */
function draftFor(address) {
    return drafts.of(device.session.user).find(({ hash, draft }) => addressOf(device, draft.key, hash) === address) ?? null;
}

/** What a part of an address says; the part as it stands where it is not encoded as addresses are. */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

function route(takesFocus = true) {
    if (isOutside) showDoor({}, takesFocus);
    if (device === null) return;
    const asked = location.hash || "#/";
    const isView = views.has(nameOf(asked));
    const hash = isView ? asked : "#/";
    if (!isView) history.replaceState(null, "", hash);
    shell.closeToast();
    shown = isView ? viewOf(hash) : navigatorView(device, nameOf(asked) === "register" ? "You are signed in." : "There is nothing at that address.");
    shell.show(shown, hash.startsWith("#/edit") ? "#/configure" : hash, takesFocus);
    offerNewer();
}

/** Opens the bookmark of a place, from 0, in whatever view: as its button does. */
function openPlace(place) {
    const button = navigatorView(device).element.querySelectorAll(".place")[place];
    // An empty place leads somewhere from the buttons alone: in the editor it would take the form away.
    if (button.classList.contains("vacant") && shown.title !== "Bookmarks") shell.say(`Place ${place + 1} is empty.`);
    else button.click();
}

/** Opens the store of a sign-in and shows what is in it; who `isEntering` goes on where something is typed, or at the start. */
async function begin(current, isEntering) {
    const mine = (opening = Symbol());
    const changed = (opened) => opened === device && shell.update(device);
    let opened;
    try {
        opened = await Device.open(current, service.of(current.user), { onChange: changed, onSignedOut: mustSignIn });
    } catch {
        if (opening !== mine) return;
        session.end(current.user);
        askForSignIn("This browser does not let the app store anything, and it works with what it has stored. A private window may be the reason.");
        return;
    }
    if (opening !== mine) {
        opened.close();
        return;
    }
    device = opened;
    isOutside = false;
    shell.setSignedIn(true);
    const [left] = isEntering ? drafts.of(current.user) : [];
    if (isEntering) history.replaceState(null, "", left ? addressOf(device, left.draft.key, left.hash) : "#/");
    route(isEntering);
    shell.update(device);
    device.sync();
}

/** The sign-in form. What is on the device stays. */
function askForSignIn(note = null, name = "", takesFocus = true) {
    device?.close();
    device = null;
    isOutside = true;
    shell.setSignedIn(false);
    // What is to be said stands above the sign-in, and the way to the other form is to be a change of address.
    if (note !== null && location.hash === "#/register") history.replaceState(null, "", "#/");
    showDoor({ note, name }, takesFocus);
}

/** The form of the address: for who is here for the first time, or to sign in. */
function showDoor({ note = null, name = "" }, takesFocus) {
    const isNew = note === null && location.hash === "#/register";
    const view = isNew ? registerView({ register }) : signInView({ note, name, signIn });
    shell.show(view, "", takesFocus);
    offerNewer();
}

async function signIn(name, password, isRemembered) {
    const answer = await service.signIn(name, password);
    if (answer.user.id === null || answer.user.roles?.includes("account")) {
        await service.signOut(answer.refresh_token);
        throw new Error("This is the name of an account, which has no bookmarks of its own. Sign in as one of its users.");
    }
    await enter(answer, name, isRemembered);
}

async function register(name, password, isRemembered) {
    await enter(await service.register(name, password), name, isRemembered);
}

/** Begins with the answer to a form; ends when the store is open. */
function enter(answer, name, isRemembered) {
    const { session: current, replaced } = session.begin(answer, name, isRemembered, Date.now());
    // Nobody has their tokens any more; where the service cannot be told they end by themselves.
    for (const refresh of replaced) service.signOut(refresh);
    return begin(current, true);
}

/** The service does not take the tokens any more, or another tab has signed out, or signed somebody else in. */
function mustSignIn(of, isGone) {
    // What an earlier device still has to say is of nobody who is signed in now.
    if (device === null || of !== device) return;
    const { name, user } = device.session;
    const isTyped = drafts.of(user).length > 0;
    const { waiting } = device.counts;
    const kept = waiting === 0 ? "" : waiting === 1 ? " 1 change is kept on this device and sent then." : ` ${waiting} changes are kept on this device and sent then.`;
    const returns = !isTyped ? "" : " What you have typed comes back then.";
    if (isGone) {
        // What tabs share was ended by who signed out there, who may have begun another since; what this tab alone has was not.
        for (const refresh of session.forget(user, true)) service.signOut(refresh);
        askForSignIn(`You have signed out in another tab. Nothing of yours is left on this device.${!isTyped ? "" : " What you have typed comes back when you sign in."}`, name);
        return;
    }
    const now = session.of(user);
    // The same person has signed in anew in another tab meanwhile.
    if (now !== null && now.family !== device.session.family) {
        device.close();
        device = null;
        begin(now, false);
        return;
    }
    const other = now === null ? session.current : null;
    session.end(user);
    const why = other === null ? "Your sign-in has ended." : `${other.name} has signed in with this browser, so ${name} is signed out here.`;
    askForSignIn(`${why} Sign in again to go on.${kept}${returns}`, name);
}

async function signOut() {
    const leaving = device;
    // It is signed out already, and another tab has yet to let go of the store.
    if (leaving === null) return;
    const { waiting, refused, conflicts } = leaving.counts;
    const unsent = waiting + refused + drafts.of(leaving.session.user).length;
    if (unsent + conflicts > 0) {
        const answer = await shell.askBeforeSignOut(unsent, conflicts);
        // The sign-in may have ended while the question stood.
        if (answer === "stay" || device !== leaving) return;
        if (answer === "sync") {
            tools.go("#/sync");
            await device.sync();
            return;
        }
    }
    const { user } = leaving.session;
    device = null;
    const ended = session.forget(user);
    session.forgetDatabase(user);
    drafts.forget(user);
    const told = Promise.all(ended.map((refresh) => service.signOut(refresh)));
    const left = await Promise.race([
        leaving.wipe().then(() => "Nothing of yours is left on this device.", () => "The browser did not delete what is stored on this device."),
        new Promise((resolve) => setTimeout(resolve, LETTING_GO, "What is stored on this device is deleted when its other tabs are closed.")),
    ]);
    if (device === null) askForSignIn(`You are signed out. ${left}`);
    const isTold = (await told).every(Boolean);
    if (!isTold && device === null) {
        askForSignIn(`You are signed out. ${left} The service could not be told; your session there ends by itself.`);
    }
}

fillIcons(document);
addEventListener("hashchange", () => route());
document.getElementById("skip").addEventListener("click", (event) => {
    // The part after # is the view's address.
    event.preventDefault();
    document.getElementById("main").focus();
});
document.getElementById("sign-out").addEventListener("click", signOut);
followUpdates(announce, () => location.reload());
listenForKeys({ isInside: () => device !== null, go: tools.go, sync: () => device.sync(), openPlace });
// Another tab has another sign-in: who is signed out by that is told before they go on.
addEventListener("storage", () => {
    if (device !== null && session.of(device.session.user) === null && session.current !== null) mustSignIn(device, false);
});
const current = session.current;
if (current === null) askForSignIn(null, "", false);
else begin(current, false);
