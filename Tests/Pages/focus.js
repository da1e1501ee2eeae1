// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0
/** What has the focus, and how its ring stands out from what is around it; `null` when nothing has it. */
() => {
    const node = document.activeElement;
    if (node === null || node === document.body) return null;
    /* colour.js */
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    const width = parseFloat(style.outlineWidth);
    const offset = parseFloat(style.outlineOffset);
    const isSeen = style.outlineStyle !== "none" && width >= 2;
    const ring = rgba(style.outlineColor);

    // What the ring lies upon or touches: the ground around the element and, where it comes to its edge, its own.
    const grounds = [ground(node.parentElement)];
    if (offset <= 0) grounds.push(ground(node));

    // The ring is outside of the element; whoever cuts off what runs over it must leave the ring.
    let cutBy = null;
    const reach = Math.max(0, width + offset);
    for (let at = node.parentElement; at !== null && at !== document.body && at !== document.documentElement; at = at.parentElement) {
        const around = getComputedStyle(at);
        if (around.position === "fixed") break;
        const edge = at.getBoundingClientRect();
        const cutsX = around.overflowX !== "visible" && (box.left - reach < edge.left - 0.5 || box.right + reach > edge.right + 0.5);
        const cutsY = around.overflowY !== "visible" && (box.top - reach < edge.top - 0.5 || box.bottom + reach > edge.bottom + 0.5);
        if (cutsX || cutsY) {
            cutBy = `<${at.tagName.toLowerCase()} ${at.id || at.className}>`;
            break;
        }
    }
    return {
        name: node.getAttribute("aria-label") ?? node.id + " " + node.textContent.trim(),
        seen: isSeen,
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        cutBy,
        contrasts: grounds.map((each) => contrast(over(ring, each), each)),
    };
}
