// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a request of a client of 2010 goes: one of three services, at the root or below `/services/`, in any letter
/// case.
///
///     /services/bookmarks.svc/Bookmark(1002)?$select=Name
///      \________________________/\____________/
///              service                rest
struct BookmarksAddress: Hashable {
    enum Service: String, CaseIterable {
        /// Accounts sign in and out.
        case api = "apirest.aspx"
        /// Users sign in.
        case users = "usersrest.aspx"
        /// The bookmarks, as OData.
        case data = "Bookmarks.svc"
    }

    let service: Service
    /// The path of the service as the client wrote it, with a slash at its end.
    let root: String
    /// The path of the service as this server writes it.
    let canonicalRoot: String
    /// What follows the service and its slash, without the query, percent-encoded.
    let rest: Substring
    /// What follows the question mark, percent-encoded.
    let query: Substring

    /// - Parameter target: the target of the request.
    /// - Returns: `nil` for the address of something else.
    init?(target: String) {
        let path = RequestAddress(target: target).path
        let segments = path.dropFirst().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let hasFolder = segments.first?.lowercased() == "services"
        let place = hasFolder ? 1 : 0
        guard segments.count > place else { return nil }
        let name = segments[place].lowercased()
        guard let service = Service.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        let rest = path[segments[place].endIndex...].dropFirst()
        guard service == .data || rest.isEmpty else { return nil }
        self.service = service
        self.rest = rest
        root = path[..<segments[place].endIndex] + "/"
        canonicalRoot = "/\(hasFolder ? "services/" : "")\(service.rawValue)/"
        query = target.firstIndex(of: "?").map { target[$0...].dropFirst() } ?? ""
    }
}
