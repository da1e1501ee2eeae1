// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON of a sign-in.
enum TokenAnswer {
    private struct Body: Encodable {
        struct Person: Encodable {
            var id: Identifier
            var name: String
            var roles: [String]
        }

        var access_token: String
        var token_type = "Bearer"
        var expires_in: Int64
        var refresh_token: String
        var user: Person
    }

    /// A user's identifier: a number stays a number.
    private enum Identifier: Encodable {
        case number(Int64)
        case text(String)
        case none

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .none: try container.encodeNil()
            }
        }
    }

    static func json(_ pair: TokenPair) -> String {
        let body = Body(
            access_token: pair.accessToken,
            expires_in: pair.expiresIn.components.seconds,
            refresh_token: pair.refreshToken,
            user: Body.Person(id: identifier(pair.user.id), name: pair.user.name, roles: pair.user.roles)
        )
        guard let data = try? JSONEncoder().encode(body) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private static func identifier(_ value: Value) -> Identifier {
        switch value {
        case .integer(let number): .number(number)
        case .string(let text): .text(text)
        case .guid(let guid): .text(guid.text)
        default: .none
        }
    }
}
