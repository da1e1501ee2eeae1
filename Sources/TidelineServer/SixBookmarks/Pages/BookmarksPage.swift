// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts

/// `users/<key>/bookmarks`: the six bookmarks of a user, in one form.
struct BookmarksPage: Sendable {
    static let places = 0...5

    let renderer: PageRenderer

    func respond(to request: PageRequest, _ account: User, _ key: Int64) throws -> PageReply? {
        let rows = request.rows(account)
        guard let user = try rows.row("Users(\(key))", of: UserRow.self) else { return nil }
        let found = try rows.list("Bookmarks?$filter=UserId eq \(key)&$orderby=Ordinal".escaped, of: BookmarkRow.self)
        let there = Dictionary(found.map { ($0.Ordinal, $0) }, uniquingKeysWith: { first, _ in first })
        guard request.isForm else {
            return page(request, user, Self.places.map { Slot(there[$0]) }, [], .ok)
        }
        var slots = Self.places.map { Slot(request.form, $0) }
        var problems: [(field: String, message: String)] = []
        for place in Self.places { problems += slots[place].problems(place, in: there[place]) }
        guard problems.isEmpty else { return page(request, user, slots, problems, .unprocessableContent) }
        for place in Self.places where slots[place].isStale(there[place]) {
            // Isolated, as a name may turn the direction of what comes after it.
            let now = there[place].map { "now “\u{2068}\($0.Name ?? "")\u{2069}”, \($0.Url ?? "")" } ?? "now empty"
            problems.append(
                (
                    "name\(place)",
                    "Bookmark \(place + 1) was changed meanwhile: it is \(now). What you typed is still here; save again to keep it."
                )
            )
            slots[place].rebase(on: there[place])
        }
        guard problems.isEmpty else { return page(request, user, slots, problems, .conflict) }
        let changes = Self.places.compactMap { slots[$0].change(of: there[$0], place: $0, user: key) }
        guard !changes.isEmpty else { return .redirect("users/\(key)/bookmarks?done=bookmarks") }
        do {
            guard let refused = try rows.group(changes) else {
                return .redirect("users/\(key)/bookmarks?done=bookmarks")
            }
            // What the service failed in is no fault of one bookmark.
            guard !refused.error.isFailure else { throw refused.error }
            let messages =
                refused.error.details.isEmpty
                ? [refused.error.message] : refused.error.details.map(\.message)
            let marked = messages.map {
                (field: "url\(refused.number)", message: "Bookmark \(refused.number + 1): \($0)")
            }
            return page(request, user, slots, marked, .unprocessableContent)
        } catch let error as PageRows.Refused where error.isFailure {
            return page(request, user, slots, [("", error.failure)], error.status)
        }
    }

    // MARK: One place

    /// What was typed in one place, or stands in it.
    private struct Slot {
        var name = ""
        var url = ""
        /// The version of the row that the form was made of; empty for an empty place.
        var etag = ""

        init(_ row: BookmarkRow?) {
            name = row?.Name ?? ""
            url = row?.Url ?? ""
            etag = row?.etag ?? ""
        }

        init(_ fields: FormFields, _ place: Int) {
            name = fields.trimmed("name\(place)")
            url = Self.address(fields.trimmed("url\(place)"))
            etag = fields["etag\(place)"]
        }

        /// What people type without a scheme is an address of the web.
        private static func address(_ text: String) -> String {
            text.isEmpty || text.contains(":") ? text : "https://" + text
        }

        var isEmpty: Bool { name.isEmpty && url.isEmpty }

        mutating func rebase(on row: BookmarkRow?) { etag = row?.etag ?? "" }

        /// Whether somebody else changed the place since the form was made.
        func isStale(_ row: BookmarkRow?) -> Bool { etag != row?.etag ?? "" }

        /// Whether another name was typed than the form showed of a row.
        private func hasOtherName(than row: BookmarkRow?) -> Bool { name != FormFields.untouched(row?.Name) }

        /// Whether another address was typed than the form showed of a row.
        private func hasOtherAddress(than row: BookmarkRow?) -> Bool {
            url != Self.address(FormFields.untouched(row?.Url))
        }

        /// What is wrong with what was typed; what another program stored in a row, and nobody touched, is not.
        func problems(_ place: Int, in row: BookmarkRow?) -> [(field: String, message: String)] {
            guard !isEmpty else { return [] }
            var problems: [(field: String, message: String)] = []
            func note(_ field: String, _ message: String) {
                problems.append(("\(field)\(place)", "Bookmark \(place + 1) \(message)"))
            }
            if row == nil || hasOtherName(than: row) {
                if name.isEmpty { note("name", "has no name.") }
                if name.unicodeScalars.count > 128 { note("name", "has a name of more than 128 characters.") }
            }
            if row == nil || hasOtherAddress(than: row),
                let problem = url.isEmpty ? "has no address." : WebAddress.problem(url)
            {
                note("url", problem)
            }
            return problems
        }

        func change(of row: BookmarkRow?, place: Int, user: Int64) -> BatchPart? {
            let json = ["content-type": "application/json"]
            guard let row else {
                guard !isEmpty else { return nil }
                let values = BatchPart.Values(UserId: user, Name: name, Url: url, Ordinal: place)
                return BatchPart(id: "\(place)", method: "POST", url: "Bookmarks", headers: json, body: values)
            }
            let newName = hasOtherName(than: row) ? name : nil
            let newURL = hasOtherAddress(than: row) ? url : nil
            guard newName != nil || newURL != nil else { return nil }
            let address = "Bookmarks(\(row.BookmarkId))"
            let condition = ["if-match": etag]
            if isEmpty { return BatchPart(id: "\(place)", method: "DELETE", url: address, headers: condition) }
            let headers = json.merging(condition) { $1 }
            let values = BatchPart.Values(Name: newName, Url: newURL)
            return BatchPart(id: "\(place)", method: "PATCH", url: address, headers: headers, body: values)
        }
    }

    private func page(
        _ request: PageRequest,
        _ user: UserRow,
        _ slots: [Slot],
        _ problems: [(field: String, message: String)],
        _ status: HTTPResponse.Status
    ) -> PageReply {
        var fields: [FieldView] = []
        for (place, slot) in slots.enumerated() {
            var name = FieldView(name: "name\(place)", label: "Name", value: slot.name)
            name.section = "Bookmark \(place + 1)"
            name.isFocused = place == 0
            var url = FieldView(name: "url\(place)", label: "Address", value: slot.url, type: "url")
            name.whose = "of bookmark \(place + 1)"
            url.whose = name.whose
            fields += [name, url]
        }
        var form = FormView(
            action: request.base + "users/\(user.UserId)/bookmarks",
            signature: request.signature,
            submit: "Save changes",
            fields: fields
        )
        form.hidden = slots.enumerated().map { .init(name: "etag\($0)", value: $1.etag) }
        form.cancel = request.base + "users"
        form.mark(problems)
        let values: [String: Any] = ["name": user.Username, "key": "\(user.UserId)"]
        let html = renderer.html("bookmarks", request, values, form: form)
        return .page(title: "Bookmarks of \(user.Username)", html: html, status: status)
    }
}

extension String {
    /// With what a query cannot hold as it is.
    fileprivate var escaped: String { split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") }
}
