// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import Yams

extension Domain {
    /// Reads a domain from its file.
    ///
    /// - Throws: ``DomainError`` with file and line.
    public init(contentsOf path: String) throws(DomainError) {
        let bytes = try AtomicFile.read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError(.syntax, file: path, message: "The file is not UTF-8 text.")
        }
        do throws(DomainError) {
            try self.init(yaml: text)
        } catch {
            var error = error
            error.file = path
            throw error
        }
    }

    /// Reads a domain from the text of its file: checked as a whole, policies included.
    ///
    /// - Throws: ``DomainError`` with the line.
    public init(yaml: String) throws(DomainError) {
        let node: Node?
        do {
            node = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            throw DomainError(.syntax, line: error.lineNumber, message: "The file is not YAML: \(error.problem).")
        } catch {
            throw DomainError(.syntax, message: "The file is not YAML.")
        }
        guard let node else { throw DomainError(.syntax, message: "The file is empty.") }
        let root = YAMLField(node: node, path: "The file")
        let fields = try root.fields([
            "format", "name", "database", "open", "requireIfMatch", "namespace", "container", "limits", "sets",
            "policies", "changeLog", "description", "enumerations", "complexTypes", "singletons", "operations",
            "fullMetadata", "signIn", "compatibility", "publishing",
        ])
        let format = try fields.required("format", of: root)
        guard try format.string() == "\(Domain.format)" else {
            throw format.error(
                .unknownFormat,
                "The file's format is not \(Domain.format), which is the only one known here."
            )
        }
        let name = try fields.required("name", of: root)
        guard Domain.isName(try name.string()) else {
            throw name.error(
                .name,
                "The domain's name is not made of lower-case letters, digits, - and _, a letter first."
            )
        }
        let model = try ModelReader(root: root, fields: fields).model()
        self.init(
            name: try name.string(),
            database: try Domain.database(try fields.required("database", of: root)),
            isOpen: try fields["open"]?.bool() ?? false,
            requiresIfMatch: try fields["requireIfMatch"]?.bool() ?? false,
            model: model,
            policies: [],
            limits: try fields["limits"].map { field throws(DomainError) in try Domain.limits(field) }
                ?? ServiceLimits(),
            retention: try fields["changeLog"].map { field throws(DomainError) in try Domain.retention(field) }
                ?? Domain.defaultRetention
        )
        if let field = fields["operations"] { try checkBodies(field) }
        tellsWholeModel = try fields["fullMetadata"]?.bool() ?? false
        if let field = fields["publishing"], !field.isNull { publishing = try PublishingChoices(field) }
        if let field = fields["signIn"], !field.isNull { try readSignIn(field) }
        if let field = fields["compatibility"], !field.isNull { try readCompatibility(field) }
        if let field = fields["policies"], !field.isNull { try readPolicies(field) }
    }

    /// Whether a text may be the name of a domain: it is part of addresses and of paths.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z")
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private static func database(_ field: YAMLField) throws(DomainError) -> Database {
        let fields = try field.fields(["kind", "path", "url", "schema", "passwordFile", "replica"])
        let kind = try fields.required("kind", of: field).choice(Database.Kind.allCases)
        let known: Set<String> =
            kind == .sqlite ? ["kind", "path"] : ["kind", "url", "schema", "passwordFile", "replica"]
        if let other = fields.first(where: { !known.contains($0.key) }) {
            throw other.value.error(.key, "A database of the kind \(kind.rawValue) has no \"\(other.key)\".")
        }
        func text(_ key: String) throws(DomainError) -> String {
            let value = try fields.required(key, of: field)
            guard try !value.string().isEmpty else { throw value.error(.value, "\(value.path) is empty.") }
            return try value.string()
        }
        if kind == .sqlite { return Database(path: try text("path")) }
        return Database(
            url: try text("url"),
            schema: fields["schema"] == nil ? "public" : try text("schema"),
            passwordFile: fields["passwordFile"] == nil ? nil : try text("passwordFile"),
            replica: fields["replica"] == nil ? nil : try text("replica")
        )
    }

    private static func limits(_ field: YAMLField) throws(DomainError) -> ServiceLimits {
        var limits = ServiceLimits()
        let fields = try field.fields([
            "pageRows", "pageBytes", "bodyBytes", "fileBytes", "uploadSeconds", "batchRequests", "batchBytes",
            "expandDepth", "statementSeconds", "lockSeconds",
        ])
        if let field = fields["pageRows"] { limits.pageRows = try field.integer(1...1_000_000) }
        if let field = fields["pageBytes"] { limits.pageBytes = try field.integer(1_024...1_073_741_824) }
        if let field = fields["bodyBytes"] { limits.bodyBytes = try field.integer(1_024...1_073_741_824) }
        if let field = fields["fileBytes"] { limits.fileBytes = try field.integer(1_024...1_099_511_627_776) }
        if let field = fields["uploadSeconds"] { limits.uploadSeconds = try field.integer(1...2_592_000) }
        if let field = fields["batchRequests"] { limits.batchRequests = try field.integer(1...1_000_000) }
        if let field = fields["batchBytes"] { limits.batchBytes = try field.integer(1_024...1_073_741_824) }
        if let field = fields["expandDepth"] { limits.expandDepth = try field.integer(0...16) }
        if let field = fields["statementSeconds"] { limits.statementSeconds = try field.integer(1...86_400) }
        if let field = fields["lockSeconds"] { limits.lockSeconds = try field.integer(1...3_600) }
        return limits
    }

    /// `changeLog: {days: 90, changes: 10000000}`; 0 is without end.
    private static func retention(_ field: YAMLField) throws(DomainError) -> LogRetention {
        var retention = Domain.defaultRetention
        let fields = try field.fields(["days", "changes"])
        if let field = fields["days"] {
            let days = try field.integer(0...36_500)
            retention.seconds = days == 0 ? nil : Int64(days) * 86_400
        }
        if let field = fields["changes"] {
            let changes = try field.integer(0...1_000_000_000_000)
            retention.entries = changes == 0 ? nil : Int64(changes)
        }
        return retention
    }

    private mutating func readPolicies(_ field: YAMLField) throws(DomainError) {
        let items = try field.items()
        if isOpen, !items.isEmpty {
            throw field.error(
                .policy,
                "The domain is open to everybody, so policies would mean nothing: remove one of the two."
            )
        }
        for item in items {
            let policy = try Domain.policy(item)
            policies.append(policy)
            do {
                _ = try PolicySet(model: model, policies: [policy])
            } catch {
                throw item.error(.policy, error.message)
            }
        }
    }

    private static func policy(_ field: YAMLField) throws(DomainError) -> Policy {
        let fields = try field.fields(["role", "sets", "operations", "calls", "where"])
        let role = try fields.required("role", of: field)
        guard try !role.string().isEmpty else { throw role.error(.value, "\(role.path) is empty.") }
        let calls = try fields["calls"].map { field throws(DomainError) in try names(field) ?? ["*"] } ?? []
        // A policy of calls alone says nothing of sets.
        let isOfSets = fields["calls"] == nil || fields["sets"] != nil || fields["operations"] != nil
        let sets = isOfSets ? try names(try fields.required("sets", of: field)) : []
        var operations: [Policy.Operation] = []
        for operation in isOfSets ? try fields.required("operations", of: field).items() : [] {
            operations.append(try operation.choice(Policy.Operation.allCases))
        }
        let condition = try fields["where"].map { field throws(DomainError) in try field.string() }
        return Policy(
            role: try role.string(),
            sets: sets,
            operations: operations,
            calls: calls,
            where: condition
        )
    }

    /// A list of names, or `nil` for `*`.
    private static func names(_ field: YAMLField) throws(DomainError) -> [String]? {
        guard case .scalar = field.node else { return try field.strings() }
        guard try field.string() == "*" else {
            throw field.error(.value, "\(field.path) is neither a list nor \"*\".")
        }
        return nil
    }
}
