// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Identifiers of users as they are typed and shown.
enum UserIdentifier {
    /// A whole number, a GUID, or else text.
    static func value(_ text: String) -> Value {
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        if let guid = GUID(text) { return .guid(guid) }
        return .string(text)
    }

    static func text(_ value: Value) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .guid(let guid): guid.text
        case .string(let text): text
        default: ""
        }
    }

    static func cell(_ value: Value) -> Output.Cell {
        if case .integer(let number) = value { .integer(number) } else { .text(text(value)) }
    }
}
