// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0
/** What a person with a keyboard, a screen reader or weak sight would stumble over in the page as it stands. */
() => {
    const complaints = [];
    const isSeen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && node.getClientRects().length > 0;
    const shown = (node) => `<${node.tagName.toLowerCase()} ${node.id || node.className?.baseVal || node.className || ""}> ${(node.textContent ?? "").trim().slice(0, 40)}`;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);

    // The document itself.
    if (!document.documentElement.lang) complaints.push("the document names no language");
    if (document.title.trim() === "") complaints.push("the document has no title");
    if (!document.querySelector("meta[name=viewport]")) complaints.push("the page does not fit itself to a phone");
    for (const [landmark, count] of [["main", 1], ["header", 1]]) {
        if (all(landmark).length !== count) complaints.push(`${all(landmark).length} visible <${landmark}>, not ${count}`);
    }
    for (const nav of all("nav")) if (!nameOf(nav)) complaints.push("a <nav> has no name");

    // Identifiers.
    const ids = new Map();
    for (const node of document.querySelectorAll("[id]")) ids.set(node.id, (ids.get(node.id) ?? 0) + 1);
    for (const [id, count] of ids) if (count > 1) complaints.push(`the id ${id} is there ${count} times`);
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
        for (const node of document.querySelectorAll(`[${name}]`)) {
            for (const id of node.getAttribute(name).split(/\s+/)) if (!document.getElementById(id)) complaints.push(`${name} of ${shown(node)} names ${id}, which is not there`);
        }
    }

    // Headings: one of the first order, and no order left out.
    const orders = all("h1, h2, h3, h4, h5, h6").map((node) => Number(node.tagName[1]));
    if (orders.filter((order) => order === 1).length !== 1) complaints.push(`${orders.filter((order) => order === 1).length} headings of the first order`);
    orders.forEach((order, at) => at > 0 && order > orders[at - 1] + 1 && complaints.push(`a heading of order ${order} follows one of order ${orders[at - 1]}`));

    // Names of what can be used.
    const usable = "a[href], button, input, select, textarea, [tabindex]:not([tabindex='-1']), [role=button]";
    function nameOf(node) {
        const by = node.getAttribute("aria-labelledby");
        if (by) return by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
        const label = node.getAttribute("aria-label");
        if (label?.trim()) return label.trim();
        if (node.labels?.length) return [...node.labels].map((each) => each.textContent).join(" ").trim();
        if (node.tagName === "INPUT") return "";
        return (node.textContent + [...node.querySelectorAll("img[alt]")].map((image) => image.alt).join(" ")).trim();
    }
    for (const node of all(usable)) {
        if (!nameOf(node)) complaints.push(`${shown(node)} has no name`);
        // The words that are seen are in the name, so that it can be said aloud.
        const label = node.getAttribute("aria-label");
        const { width, height } = node.getBoundingClientRect();
        const isInText = node.tagName === "A" && getComputedStyle(node).display === "inline";
        if (!isInText && (width < 24 || height < 24) && node.type !== "checkbox") complaints.push(`${shown(node)} is ${Math.round(width)} by ${Math.round(height)} pixels to hit`);
        if (label === "") complaints.push(`${shown(node)} has an empty name`);
    }
    for (const image of document.querySelectorAll("img:not([alt])")) complaints.push(`${shown(image)} has no alternative text`);
    for (const svg of all("svg")) if (svg.getAttribute("aria-hidden") !== "true" && !svg.getAttribute("aria-label")) complaints.push("a drawing has neither a name nor is hidden");
    for (const node of document.querySelectorAll("a[target=_blank]")) if (!node.relList.contains("noopener")) complaints.push(`${shown(node)} gives its opener away`);

    // Contrast: AA, 4.5 to 1, and 3 to 1 for large text and for borders of fields.
    /* colour.js */
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (walker.currentNode.textContent.trim() === "" || !isSeen(parent) || parent.closest(".unseen, [aria-disabled=true], script, style, noscript")) continue;
        const style = getComputedStyle(parent);
        const back = ground(parent);
        const ratio = contrast(over(rgba(style.color), back), back);
        const size = parseFloat(style.fontSize);
        const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
        if (ratio < least) complaints.push(`${shown(parent)}: contrast ${ratio.toFixed(2)}, at least ${least}`);
    }
    for (const input of all("input:not([type=checkbox])")) {
        const ratio = contrast(rgba(getComputedStyle(input).borderTopColor), ground(input.parentElement));
        if (ratio < 3) complaints.push(`the border of ${shown(input)}: contrast ${ratio.toFixed(2)}, at least 3`);
    }

    // Nothing runs out of the page sideways.
    if (document.documentElement.scrollWidth > innerWidth) complaints.push(`the page is ${document.documentElement.scrollWidth} pixels wide in ${innerWidth}`);
    return complaints;
}
