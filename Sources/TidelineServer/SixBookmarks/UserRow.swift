// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A user of an account, as the service tells it.
struct UserRow: Decodable {
    var UserId: Int64
    var Username: String
    var FirstName: String?
    var LastName: String?
    var Email: String?
    var IsActive: Bool
    var etag: String?

    enum CodingKeys: String, CodingKey {
        case UserId, Username, FirstName, LastName, Email, IsActive
        case etag = "@odata.etag"
    }
}
