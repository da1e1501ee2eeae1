// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage
import Yams

extension Domain {
    /// The model for the store: that of the service, and the statements of sign-in, which nobody can call from outside.
    public var storeModel: EntityModel {
        var model = model
        model.operations += signIn.flatMap(\.operations)
        model.complexTypes += signIn.map(\.rowType)
        return model
    }

    /// The domain as its store is opened.
    public var forStore: Domain {
        var domain = self
        domain.model = storeModel
        return domain
    }

    mutating func readSignIn(_ field: YAMLField) throws(DomainError) {
        for item in try field.items() {
            let directory = try Self.directory(item)
            guard !signIn.contains(where: { $0.name == directory.name }) else {
                throw item.error(.name, "There are two directories named \(directory.name).")
            }
            signIn.append(directory)
            try check(directory, item)
        }
    }

    private static func directory(_ item: YAMLField) throws(DomainError) -> SignInDirectory {
        let fields = try item.fields(["name", "roles", "id", "attributes", "find", "byId", "setHash"])
        func body(_ key: String) throws(DomainError) -> OperationBody {
            let field = try fields.required(key, of: item)
            if case .scalar = field.node {
                let sql = try field.string()
                return .sql(sqlite: sql, postgres: sql)
            }
            let languages = try field.fields(["sqlite", "postgres"])
            return .sql(sqlite: try languages["sqlite"]?.string(), postgres: try languages["postgres"]?.string())
        }
        let name = try fields.required("name", of: item)
        guard Domain.isName(try name.string()) else {
            throw name.error(.name, "\(name.path) is not made of lower-case letters, digits, - and _, a letter first.")
        }
        var attributes: [SignInDirectory.Attribute] = []
        for attribute in try fields["attributes"]?.items() ?? [] {
            let pair = try attribute.fields(["name", "type"])
            let found = SignInDirectory.Attribute(
                try pair.required("name", of: attribute).string(),
                try type(try pair.required("type", of: attribute), among: SignInDirectory.attributeTypes)
            )
            let taken = ["id", "name", "roles", "passwordhash", "isactive"] + attributes.map { $0.name.lowercased() }
            guard !taken.contains(found.name.lowercased()) else {
                throw attribute.error(.name, "\(attribute.path) has a name that is taken.")
            }
            attributes.append(found)
        }
        return SignInDirectory(
            name: try name.string(),
            roles: try fields["roles"]?.strings() ?? [],
            idType: try type(try fields.required("id", of: item), among: SignInDirectory.idTypes),
            attributes: attributes,
            find: try body("find"),
            byId: try body("byId"),
            setHash: try body("setHash")
        )
    }

    private static func type(
        _ field: YAMLField,
        among types: [PrimitiveType]
    ) throws(DomainError) -> PrimitiveType {
        let text = try field.string()
        guard let type = types.first(where: { $0.rawValue == "Edm.\(text)" }) else {
            let known = types.map { String($0.rawValue.dropFirst(4)) }.joined(separator: ", ")
            throw field.error(.value, "\(field.path) is \"\(text)\"; known are \(known).")
        }
        return type
    }

    /// Makes sure that the domain's database can have the SQL of a directory, as far as its text tells.
    private func check(_ directory: SignInDirectory, _ item: YAMLField) throws(DomainError) {
        let language: OperationScript.Language = database.kind == .sqlite ? .sqlite : .postgres
        for (key, operation) in zip(["find", "byId", "setHash"], directory.operations) {
            guard case .sql(let sqlite, let postgres)? = operation.body,
                let sql = language == .sqlite ? sqlite : postgres
            else {
                throw item.error(.value, "\(item.path).\(key) has no SQL for \(database.kind.rawValue).")
            }
            if let problem = OperationScript(sql, language: language).problem(for: operation, in: storeModel) {
                throw item.error(.value, "\(item.path).\(key): \(problem)")
            }
        }
    }
}
