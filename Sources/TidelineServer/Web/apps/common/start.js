// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Loads the app where the browser has what it needs, and shows the sentence of the page where it has not.
 *
 * It is written so that any browser reads it. `AbortSignal.any` is the newest thing that the app needs: a browser that has it
 * has the rest.
 */
(function () {
    "use strict";
    if (!window.AbortSignal || !AbortSignal.any) {
        document.getElementById("too-old").hidden = false;
        return;
    }
    var app = document.createElement("script");
    app.type = "module";
    app.src = "app.js";
    document.head.appendChild(app);
})();
