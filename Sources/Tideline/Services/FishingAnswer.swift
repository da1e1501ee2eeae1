// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a server of the fishing app answers.
///
///     {"fishingResponse":{"rc":0,"descr":"OK","items":[…]}}
struct FishingAnswer: Sendable {
    static let badToken = 2
    static let noSpot = 11

    var code: Int
    var message: String
    var items: [JSONValue]

    /// Reads an answer; what cannot be read is one of the code -1, as the wire has it.
    init(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self), let json = JSONValue(text),
            case .number(let digits) = json.member(["fishingResponse", "rc"]), let code = Int(digits),
            case .string(let message) = json.member(["fishingResponse", "descr"])
        else {
            self.init(code: -1, message: "Exception Thrown", items: [])
            return
        }
        self.init(code: code, message: message, items: json.member(["fishingResponse", "items"]).items)
    }

    private init(code: Int, message: String, items: [JSONValue]) {
        self.code = code
        self.message = message
        self.items = items
    }

    /// The items.
    ///
    /// - Throws: ``EntityServiceError`` for any code but 0.
    func checked(set: String) throws(EntityServiceError) -> [JSONValue] {
        let kind: EntityServiceError.Code
        switch code {
        case 0: return items
        case -1, 90, 99: kind = .unavailable
        case Self.badToken, 13, 91: kind = .notAllowed
        case 10, Self.noSpot: kind = .notFound
        case 12, 14: kind = .invalid
        default: kind = .refused
        }
        throw EntityServiceError(kind, set: set, message: "\(message) (rc \(code))")
    }
}
