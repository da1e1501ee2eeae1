// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Makes elements. Text goes in as text: nothing that a person or a service wrote is ever read as HTML. */

/** The elements that do something of their own. */
export const doing = new WeakSet();

export function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** The same for pictures. */
export function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") {
            node.addEventListener(name, value);
            doing.add(node);
        } else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}
