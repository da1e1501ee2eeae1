// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Domain {
    /// Reads `compatibility`: the doors for clients of older services.
    mutating func readCompatibility(_ field: YAMLField) throws(DomainError) {
        let fields = try field.fields(["sixbookmarks", "fishing"])
        if let field = fields["sixbookmarks"], !field.isNull { sixBookmarks = try readSixBookmarks(field) }
        if let field = fields["fishing"], !field.isNull { fishing = try readFishing(field) }
    }

    private func readSixBookmarks(_ field: YAMLField) throws(DomainError) -> SixBookmarksCompatibility {
        let fields = try field.fields([
            "set", "owner", "accounts", "users", "unknownProperties", "failures", "reach", "tokenMinutes",
        ])
        let set = try fields.required("set", of: field)
        guard let found = model[set: try set.string()] else {
            throw set.error(.value, "\(set.path) is \"\(try set.string())\", which is no set of the domain.")
        }
        let owner = try fields.required("owner", of: field)
        guard found.type.propertyIndex(wire: try owner.string()) != nil else {
            throw owner.error(.value, "\(owner.path) is \"\(try owner.string())\", which is no property of the set.")
        }
        func directory(_ key: String) throws(DomainError) -> String {
            let field = try fields.required(key, of: field)
            let name = try field.string()
            guard signIn.contains(where: { $0.name == name }) else {
                throw field.error(.value, "\(field.path) is \"\(name)\", which is no directory of signIn.")
            }
            return name
        }
        var settings = SixBookmarksCompatibility(
            set: try set.string(),
            owner: try owner.string(),
            accounts: try directory("accounts"),
            users: try directory("users")
        )
        if let field = fields["unknownProperties"] {
            settings.unknownProperties = try field.choice(SixBookmarksCompatibility.UnknownProperties.allCases)
        }
        if let field = fields["failures"] {
            settings.failures = try field.choice(SixBookmarksCompatibility.Failures.allCases)
        }
        if let field = fields["reach"] { settings.reach = try field.choice(SixBookmarksCompatibility.Reach.allCases) }
        if let field = fields["tokenMinutes"] { settings.tokenMinutes = try field.integer(1...43_200) }
        return settings
    }
}

extension DomainText {
    /// `compatibility`.
    static func compatibilityLines(_ domain: Domain) -> String {
        let lines = sixBookmarksLine(domain.sixBookmarks) + fishingLine(domain.fishing)
        guard !lines.isEmpty else { return "" }
        return "# Insecure by its nature: secrets in addresses. See docs/compatibility.md and docs/fishing.md.\n"
            + "compatibility:\n" + lines
    }

    /// `sixbookmarks` of `compatibility`, with what differs from the defaults.
    private static func sixBookmarksLine(_ settings: SixBookmarksCompatibility?) -> String {
        guard let settings else { return "" }
        let standard = SixBookmarksCompatibility(
            set: settings.set,
            owner: settings.owner,
            accounts: settings.accounts,
            users: settings.users
        )
        var pairs = [
            "set: \(quote(settings.set))", "owner: \(quote(settings.owner))",
            "accounts: \(quote(settings.accounts))", "users: \(quote(settings.users))",
        ]
        if settings.unknownProperties != standard.unknownProperties {
            pairs.append("unknownProperties: \(settings.unknownProperties.rawValue)")
        }
        if settings.failures != standard.failures { pairs.append("failures: \(settings.failures.rawValue)") }
        if settings.reach != standard.reach { pairs.append("reach: \(settings.reach.rawValue)") }
        if settings.tokenMinutes != standard.tokenMinutes { pairs.append("tokenMinutes: \(settings.tokenMinutes)") }
        return "  sixbookmarks: {\(pairs.joined(separator: ", "))}\n"
    }
}
