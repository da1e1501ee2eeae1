// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes

/// The answer of a sign-in or a refresh.
struct TokenAnswer: Decodable {
    struct User: Decodable {
        var name: String
    }

    var accessToken: String
    var refreshToken: String
    var user: User

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case user
    }

    /// Reads the content of a 200; another content was not made by the service.
    init(_ response: TransportResponse) throws(ClientError) {
        guard response.mediaType == "application/json",
            let answer = try? JSONDecoder().decode(TokenAnswer.self, from: Data(response.body))
        else { throw ClientError.notOData(response) }
        self = answer
    }
}

/// The content of a request to a sign-in route.
struct TokenRequest: Encodable {
    var grantType: String?
    var username: String?
    var password: String?
    var device: String?
    var refreshToken: String?

    private enum CodingKeys: String, CodingKey {
        case grantType = "grant_type"
        case username, password, device
        case refreshToken = "refresh_token"
    }

    func bytes() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
