// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

extension Domain {
    /// Writes the domain's file: it appears whole or not at all.
    ///
    /// - Parameters:
    ///   - permissions: of the file, `0o600` where a password stands in it.
    ///   - notes: lines that stand in it as a comment.
    /// - Throws: ``DomainError`` `unreadable` with the system's reason.
    public func write(
        to path: String,
        permissions: UInt32 = 0o644,
        notes: [String] = []
    ) throws(DomainError) {
        let comment = notes.map { note in "# " + note.filter { !$0.isNewline } + "\n" }.joined()
        try AtomicFile.write((yaml + comment).utf8, to: path, permissions: permissions)
    }

    /// The text of the file: stable in its order, made to be read and edited by hand.
    public var yaml: String {
        var text = """
            # A domain of Tideline. Edit it by hand as you like: the server reads it again when it changes.
            format: \(Domain.format)
            name: \(quote(name))
            database:
              kind: \(database.kind.rawValue)

            """
        text += databaseLines()
        if isOpen { text += "# Open: everybody may read and change everything, signed in or not.\n" }
        text += "open: \(isOpen)\n"
        if requiresIfMatch { text += "requireIfMatch: true\n" }
        if tellsWholeModel { text += "fullMetadata: true\n" }
        text += limitLines()
        text += retentionLine()
        text += publishing.lines
        text += "namespace: \(quote(model.namespace))\n"
        if model.container != "Container" { text += "container: \(quote(model.container))\n" }
        text += DomainText.lines(describing: model)
        text += model.sets.isEmpty ? "sets: []\n" : "sets:\n"
        for set in model.sets { text += lines(set) }
        text += DomainText.singletonLines(model)
        text += DomainText.operationLines(model)
        text += DomainText.signInLines(signIn)
        text += DomainText.compatibilityLines(self)
        if !isOpen {
            text += "# What no policy allows is refused. A condition speaks of the row and of the user, for example\n"
            text +=
                "#   - {role: \"*\", sets: [Orders], operations: [read, insert, update, delete], where: \"OwnerId eq @me\"}\n"
        }
        text += policies.isEmpty ? "policies: []\n" : "policies:\n"
        for policy in policies { text += line(policy) }
        return text
    }

    private func databaseLines() -> String {
        guard database.kind == .postgres else { return "  path: \(quote(database.path))\n" }
        return "  url: \(quote(database.url))\n"
            + (database.schema == "public" ? "" : "  schema: \(quote(database.schema))\n")
            + (database.passwordFile.map { "  passwordFile: \(quote($0))\n" } ?? "")
            + (database.replica.map { "  replica: \(quote($0))\n" } ?? "")
    }

    private func limitLines() -> String {
        let standard = ServiceLimits()
        let all = [
            ("pageRows", limits.pageRows, standard.pageRows), ("pageBytes", limits.pageBytes, standard.pageBytes),
            ("bodyBytes", limits.bodyBytes, standard.bodyBytes),
            ("fileBytes", limits.fileBytes, standard.fileBytes),
            ("uploadSeconds", limits.uploadSeconds, standard.uploadSeconds),
            ("batchRequests", limits.batchRequests, standard.batchRequests),
            ("batchBytes", limits.batchBytes, standard.batchBytes),
            ("expandDepth", limits.expandDepth, standard.expandDepth),
            ("statementSeconds", limits.statementSeconds, standard.statementSeconds),
            ("lockSeconds", limits.lockSeconds, standard.lockSeconds),
        ]
        let changed = all.filter { $0.1 != $0.2 }
        return changed.isEmpty ? "" : "limits: {\(changed.map { "\($0.0): \($0.1)" }.joined(separator: ", "))}\n"
    }

    private func retentionLine() -> String {
        var pairs: [String] = []
        if retention.seconds != Self.defaultRetention.seconds {
            pairs.append("days: \((retention.seconds ?? 0) / 86_400)")
        }
        if retention.entries != Self.defaultRetention.entries { pairs.append("changes: \(retention.entries ?? 0)") }
        return pairs.isEmpty ? "" : "changeLog: {\(pairs.joined(separator: ", "))}\n"
    }

    private func lines(_ set: EntitySet) -> String {
        let type = set.type
        var text = "  - name: \(quote(set.names.wire))\n    type: \(quote(type.names.wire))\n"
        if set.names.code != set.names.wire { text += "    code: \(quote(set.names.code))\n" }
        text += "    table: \(quote(set.names.database))\n"
        if set.isReadOnly { text += "    readOnly: true\n" }
        text += DomainText.lines(beforeKeyOf: set)
        text += "    key: \(list(type.key, in: type))\n    properties:\n"
        for property in type.properties where !property.isLocalOnly {
            text += "      - {\(DomainText.pairs(property, of: type))}\n"
        }
        if !type.uniqueKeys.isEmpty {
            text += "    unique:\n"
            for key in type.uniqueKeys { text += "      - \(list(key, in: type))\n" }
        }
        if !type.navigationProperties.isEmpty {
            text += "    navigation:\n"
            for navigation in type.navigationProperties { text += "      - {\(pairs(navigation, of: type))}\n" }
        }
        return text + DomainText.lines(type.rules)
    }

    private func list(_ places: [Int], in type: EntityType) -> String {
        "[\(places.map { quote(type.wirePath(of: $0)) }.joined(separator: ", "))]"
    }

    private func pairs(_ navigation: NavigationProperty, of type: EntityType) -> String {
        var pairs = ["name: \(quote(navigation.names.wire))"]
        if navigation.names.code != navigation.names.wire { pairs.append("code: \(quote(navigation.names.code))") }
        pairs.append("target: \(quote(navigation.targetSet))")
        if navigation.isCollection { pairs.append("collection: true") }
        if navigation.isDependent { pairs.append("dependent: true") }
        if !navigation.isNullable { pairs.append("nullable: false") }
        if let link = navigation.link {
            let ways = "toOwner: \(quote(link.toOwner)), toTarget: \(quote(link.toTarget))"
            pairs.append("link: {set: \(quote(link.set)), \(ways)}")
        } else if let target = model[set: navigation.targetSet]?.type {
            let on = navigation.constraints.map {
                let from = quote(type.wirePath(of: $0.source))
                return "{from: \(from), to: \(quote(target.wirePath(of: $0.target)))}"
            }
            pairs.append("on: [\(on.joined(separator: ", "))]")
        }
        if navigation.onDelete != .none { pairs.append("onDelete: \(navigation.onDelete.rawValue)") }
        if let partner = navigation.partner { pairs.append("partner: \(quote(partner))") }
        if navigation.isContainment { pairs.append("contains: true") }
        if let name = navigation.declaringType { pairs.append("of: \(quote(name))") }
        if let text = navigation.description { pairs.append("description: \(quote(text))") }
        return pairs.joined(separator: ", ")
    }

    private func line(_ policy: Policy) -> String {
        func list(_ names: [String]) -> String { "[\(names.map { quote($0) }.joined(separator: ", "))]" }
        var pairs = ["role: \(quote(policy.role))"]
        if policy.calls.isEmpty || policy.sets?.isEmpty == false || !policy.operations.isEmpty {
            pairs.append("sets: \(policy.sets.map(list) ?? "\"*\"")")
            pairs.append("operations: [\(policy.operations.map(\.rawValue).joined(separator: ", "))]")
        }
        if !policy.calls.isEmpty { pairs.append("calls: \(policy.calls == ["*"] ? "\"*\"" : list(policy.calls))") }
        if let condition = policy.condition { pairs.append("where: \(quote(condition))") }
        return "  - {\(pairs.joined(separator: ", "))}\n"
    }

    private func quote(_ text: String, isValue: Bool = false) -> String { DomainText.quote(text, isValue: isValue) }
}
