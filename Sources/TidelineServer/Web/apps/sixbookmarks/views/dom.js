// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What views are made of: headings, times, and changes that leave the focus where it is. */

import { doing, el } from "../../common/dom.js";

/** The heading of a view; it takes the focus when the view is shown. */
export function heading(...words) {
    return el("h1", { tabindex: "-1" }, ...words);
}

/**
 * Runs `change`, which shows what is new in a part of the page. The focus stays on the control that has it, also on one of
 * the same `data-focus` in its place; where that is gone it goes to what `otherwise` finds.
 */
export function keepFocus(part, change, otherwise) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    change();
    if (focused === null || document.activeElement === focused) return;
    const { focus } = focused.dataset;
    const same = focused.isConnected ? focused : focus && part.querySelector(`[data-focus="${CSS.escape(focus)}"]`);
    (same || otherwise())?.focus({ preventScroll: true });
}

/**
 * Lets an element hold what `nodes` say. What is there already stays the same element, so that nothing in it loses the
 * focus, and nobody who reads it loses the place: a row is known by its `data-key`.
 *
 * What an element does is told by what it says and by its `data-focus`: one that says something else is another one.
 */
export function patch(element, nodes) {
    const before = [...element.childNodes];
    const after = nodes.map((node) => {
        const place = before.findIndex((each) => isSame(each, node));
        return place < 0 ? node : adapt(before.splice(place, 1)[0], node);
    });
    for (const gone of before) gone.remove();
    after.forEach((node, place) => element.childNodes[place] === node || element.insertBefore(node, element.childNodes[place] ?? null));
}

function isSame(one, other) {
    if (doing.has(one) || doing.has(other)) return one.isEqualNode(other);
    return one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

/** The key of a row; of an empty one its place. */
function keyOf({ dataset }) {
    return dataset?.key ?? dataset?.place;
}

/** Lets a node say what another one says. */
function adapt(node, wanted) {
    if (node.isEqualNode(wanted)) return node;
    if (node.nodeType === Node.TEXT_NODE) {
        node.data = wanted.data;
        return node;
    }
    for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
    for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    patch(node, [...wanted.childNodes]);
    return node;
}

/** A time as people say it, with the exact one on hover. */
export function ago(time, now = Date.now()) {
    const seconds = Math.max(0, Math.round((now - time) / 1000));
    const text =
        seconds < 10 ? "just now"
        : seconds < 60 ? `${seconds} s ago`
        : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago`
        : seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago`
        : `${Math.floor(seconds / 86_400)} d ago`;
    const date = new Date(time);
    return el("time", { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}
