// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient

/// What an answer says of one set, and not of the others.
extension ClientError {
    /// Whether the service answered that it failed, or cannot do it now: of one request, which says nothing of others.
    var isOfService: Bool { (status ?? 0) >= 500 }

    /// Whether it says nothing of other sets: what the service fails of or refuses in one, such as a key that is none.
    var isOfSet: Bool { isOfService || isRefusal || code == .unreadableAnswer }

    /// Whether the service failed at the request, and would again: it is neither away nor busy.
    var isOfRequest: Bool { status == 500 || status == 501 }

    /// Whether the service refused to read what was asked for, as an error of OData: it says nothing of other sets.
    var isRefusal: Bool { code == .refused && service != nil }

    /// The same error, which names the set that it is about.
    ///
    /// - Parameter isFiltered: whether a part of the set was asked for, so that the filter may be what was refused.
    func naming(_ set: String, isFiltered: Bool = false) -> ClientError {
        guard status != nil || code == .unreadableAnswer, code != .signInRequired else { return self }
        var error = self
        error.message = "\(set): \(message)"
        if code == .refused, isFiltered {
            error.advice = "Clone again with a filter of \(set) that the service takes, or without one."
        } else if code == .refused || code == .forbidden {
            error.advice = "Clone again without \(set), or ask the administrator of the domain."
        }
        return error
    }
}

extension ODataClient {
    /// Whether the service says that the user may not read a set (any more), and goes on speaking to the user.
    ///
    /// Rows are removed for it, so neither a proxy nor a service at another address is believed: the answer is an error
    /// of OData, the service document can be read, and does not name what is said not to be there.
    func withholds(_ set: String, _ error: ClientError) async throws -> Bool {
        guard error.service != nil, error.status == 403 || error.status == 404 else { return false }
        let isNamed = try await entitySets().contains(set)
        return error.status == 403 || !isNamed
    }
}
