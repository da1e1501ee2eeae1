// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0
/** Colours as they stand over each other on a page. Source: WCAG 2.2, "relative luminance" and "contrast ratio". */
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function rgba(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
}
const over = ([r, g, b, a], [r2, g2, b2]) => [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a), 1];
function ground(node) {
    const layers = [];
    for (let at = node; at !== null; at = at.parentElement) {
        const color = rgba(getComputedStyle(at).backgroundColor);
        if (color[3] > 0) layers.push(color);
        if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, color) => over(color, below), [255, 255, 255, 1]);
}
function luminance([r, g, b]) {
    const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
function contrast(one, other) {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}
