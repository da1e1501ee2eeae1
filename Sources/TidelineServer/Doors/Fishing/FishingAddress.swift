// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a request of the fishing app goes.
///
///     /services/locations.php?action=list&userid=1&token=T
///               \___________/ \__________________________/
///                  service               query
struct FishingAddress: Hashable {
    enum Service: String {
        case locations = "/services/locations.php"
        case catches = "/services/catches.php"
    }

    let service: Service
    /// What follows the question mark, percent-encoded.
    let query: Substring

    /// - Parameter target: the target of the request.
    /// - Returns: `nil` for the address of something else.
    init?(target: String) {
        guard let service = Service(rawValue: String(RequestAddress(target: target).path)) else { return nil }
        self.service = service
        query = target.firstIndex(of: "?").map { target[$0...].dropFirst() } ?? ""
    }
}
