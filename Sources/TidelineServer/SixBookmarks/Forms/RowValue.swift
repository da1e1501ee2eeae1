// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value that a form sends to the service.
enum RowValue: Encodable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Int64)
    case null

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .null: try container.encodeNil()
        }
    }
}
