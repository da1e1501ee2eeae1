// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import { Drafts } from "../../common/drafts.js";

/**
 * What was typed in the editor and not saved: `{ user, hash, draft }`, with the address of the form.
 *
 * A form is that of its bookmark, wherever this lies, or, where that is new, that of the address.
 */
export const drafts = new Drafts("sixbookmarks.unsaved", ({ hash, draft }) => draft.key ?? hash);
