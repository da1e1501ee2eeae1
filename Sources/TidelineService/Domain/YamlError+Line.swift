// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Yams

extension YamlError {
    /// The line where reading stopped, from 1, where it is known.
    var lineNumber: Int? {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: nil
        }
    }

    /// What is wrong, without the excerpt.
    var problem: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        case .duplicatedKeysInMapping: "a key stands twice"
        default: "it cannot be parsed"
        }
    }
}
