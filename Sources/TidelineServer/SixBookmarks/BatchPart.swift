// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One request of a batch.
struct BatchPart: Encodable {
    /// The values of a bookmark; what is `nil` is not sent.
    struct Values: Encodable {
        var UserId: Int64?
        var Name: String?
        var Url: String?
        var Ordinal: Int?
    }

    var id: String
    var atomicityGroup = "save"
    var method: String
    var url: String
    var headers: [String: String]
    var body: Values?
}
