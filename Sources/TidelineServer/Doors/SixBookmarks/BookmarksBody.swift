// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What the service itself says of an entity that a client sends: whose it is, its key, and what it leaves out.
struct BookmarksBody {
    let type: EntityType
    /// The wire name of the property that is the user's key.
    let owner: String
    let user: Value

    /// The body of the request of v4, and whether the client named another user.
    ///
    /// - Parameter replaces: whether what is left out goes back to its default, as PUT has it.
    func complete(
        _ body: [UInt8],
        isInsert: Bool,
        replaces: Bool
    ) throws(ODataError) -> (bytes: [UInt8], isForged: Bool) {
        let tree = try JSONTree.read(body)
        guard case .object(let sent) = tree else {
            throw ODataError(.invalidBody, "The body is no entity.")
        }
        let keys = Set(type.key.map { type.properties[$0].names.wire })
        let isForged = sent.contains { $0.0 == owner && $0.1.scalar != user.text }
        // The database makes keys, and the URL names them.
        var members = sent.filter { $0.0 != owner && !keys.contains($0.0) }
        if isInsert || replaces { members.append((owner, Self.json(user))) }
        if replaces {
            for property in type.properties where property.defaultValue == nil && !property.isNullable {
                let name = property.names.wire
                guard !keys.contains(name), !members.contains(where: { $0.0 == name }),
                    let zero = Self.zero(of: property.type)
                else { continue }
                members.append((name, zero))
            }
        }
        return (JSONTree.object(members).bytes, isForged)
    }

    private static func json(_ value: Value) -> JSONTree {
        if case .integer(let number) = value { return .integer(Int(number)) }
        return .text(value.text ?? "")
    }

    /// What a required value of no default was in 2010, left out.
    private static func zero(of type: PrimitiveType) -> JSONTree? {
        switch type {
        case .byte, .sbyte, .int16, .int32, .int64, .double, .single: .integer(0)
        case .boolean: .flag(false)
        case .string: .text("")
        default: nil
        }
    }
}
