// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What a person may be called, and what is a password. The service asks the same. */

const NAME_LENGTH = 64;
const LEAST_PASSWORD_BYTES = 8;
/** What makes a name that looks like another one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/u;

/** What is wrong with a new name, or `null`. */
export function checkNewName(name) {
    if (name === "") return "Enter a name.";
    if (name.includes("/")) return "The name has a slash. Leave it out.";
    if (UNSEEN.test(name)) return "The name has a character that cannot be seen. Leave it out.";
    const length = [...name].length;
    return length > NAME_LENGTH ? `The name has ${length} characters; ${NAME_LENGTH} is the most.` : null;
}

/** What is wrong with a new password, or `null`; blanks count. */
export function checkNewPassword(password) {
    if (password === "") return "Enter a password.";
    return new TextEncoder().encode(password).length < LEAST_PASSWORD_BYTES ? "The password is too short. Choose at least 8 characters." : null;
}
