// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineOData

extension SixBookmarksSchema {
    /// Hashes of passwords are not published: no request reads them, and no log has them.
    package static let hidden: Set<String> = ["ApiAccounts.PasswordHash", "Users.PasswordHash"]

    /// The types that INTEGER does not tell.
    private static let types: [String: [String: PrimitiveType]] = [
        "ApiAccounts": ["ApiAccountId": .int32],
        "Users": ["UserId": .int32, "ApiAccountId": .int32],
        "Bookmarks": ["BookmarkId": .int32, "UserId": .int32, "Ordinal": .int32],
    ]

    /// What the tables alone do not say, by set: name, condition, message, property.
    private static let rules: [String: [(name: String, condition: String, message: String, property: String)]] = [
        "ApiAccounts": [name],
        "Users": [name],
        "Bookmarks": [
            (
                "Address", "Url eq null or startswith(tolower(Url),'http://') or startswith(tolower(Url),'https://')",
                "A bookmark's address begins with http:// or https://.", "Url"
            ),
            (
                "Place", "Ordinal ge 0 and Ordinal le 5",
                "A user has six bookmarks at most, in the places 0 to 5.", "Ordinal"
            ),
        ],
    ]

    private static let name = (
        name: "Name", condition: "length(trim(Username)) ge 1 and not contains(Username,'/')",
        message: "A name has at least one character, and no slash.", property: "Username"
    )

    /// Completes the model that was read from the tables.
    package static func complete(_ model: inout EntityModel) {
        let sets = model.sets.map { set in
            var set = set
            for (place, property) in set.type.properties.enumerated() {
                let type = types[set.names.wire]?[property.names.wire]
                if let type { set.type.properties[place].type = type }
            }
            set.type.rules = (rules[set.names.wire] ?? []).compactMap { rule in
                guard let condition = try? ExpressionParser.parse(rule.condition) else { return nil }
                return EntityRule(
                    name: rule.name,
                    condition: condition,
                    message: rule.message,
                    properties: [rule.property]
                )
            }
            return set
        }
        model = model.replacing(sets: sets)
    }
}
