// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Attributes of users as they are typed and shown: `Region=north`, a name again for each further value.
enum UserAttributes {
    /// - Throws: ``CommandFailure`` for a text that is not `NAME=VALUE`.
    static func values(_ texts: [String]) throws -> [String: [Value]] {
        var values: [String: [Value]] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure("--attribute \(text) is not NAME=VALUE.")
            }
            let value = UserIdentifier.value(String(text[text.index(after: equals)...]))
            values[String(text[..<equals]), default: []].append(value)
        }
        return values
    }

    static func text(_ attributes: [String: [Value]]) -> String {
        attributes.sorted { $0.key < $1.key }
            .flatMap { name, values in values.map { "\(name)=\(UserIdentifier.text($0))" } }.joined(separator: ", ")
    }

    /// In JSON an object of arrays.
    static func cell(_ attributes: [String: [Value]], isJSON: Bool) -> Output.Cell {
        guard isJSON else { return .text(text(attributes)) }
        let members = attributes.sorted { $0.key < $1.key }.map { name, values -> (String, Output.Cell) in
            (name, .raw("[" + values.map { UserIdentifier.cell($0).json }.joined(separator: ",") + "]"))
        }
        return .raw(JSONText.object(members))
    }
}
