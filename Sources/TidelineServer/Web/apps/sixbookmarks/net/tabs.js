// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What the tabs of this app agree by. */

import { Generations } from "../../common/generations.js";
import { Locks } from "../../common/locks.js";

/** What lies in the browser begins with it: the apps of a server have one origin, and so one storage. */
export const APP = "sixbookmarks";
export const locks = new Locks(APP);
export const generations = new Generations(APP);
