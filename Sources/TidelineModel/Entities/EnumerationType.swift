// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An enumeration type: named integer values.
///
/// A property of it has its underlying integer type as ``Property/type`` and its name in ``Property/enumeration``.
/// Source: OData CSDL 4.01, section 10.
public struct EnumerationType: Hashable, Sendable {
    /// One name for one value.
    ///
    /// Source: OData CSDL 4.01, section 10.3.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: Int64
        public var description: String?

        public init(_ name: String, _ value: Int64, description: String? = nil) {
            self.name = name
            self.value = value
            self.description = description
        }
    }

    /// On the wire the unqualified name of the type; in the database the type, where it has one.
    public var names: Names
    /// One of `Edm.Byte`, `Edm.SByte`, `Edm.Int16`, `Edm.Int32` and `Edm.Int64`.
    public var underlyingType: PrimitiveType
    /// Whether a value may be made of several members.
    public var isFlags: Bool
    /// The members, in the order in which they are declared; never empty.
    public var members: [Member]
    public var description: String?

    public init(
        names: Names,
        underlyingType: PrimitiveType = .int32,
        isFlags: Bool = false,
        members: [Member],
        description: String? = nil
    ) {
        self.names = names
        self.underlyingType = underlyingType
        self.isFlags = isFlags
        self.members = members
        self.description = description
    }

    /// The value that a text names: a member, a number, or for flags several of them with commas between.
    ///
    /// Blanks around the names are passed over. A number needs no member only where the type has flags.
    /// - Returns: the value, or `nil` for a name that the type does not have.
    public func value(of text: some StringProtocol) -> Int64? {
        var value: Int64 = 0
        var count = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            guard let one = memberValue(name) else { return nil }
            value |= one
            count += 1
        }
        guard count == 1 || isFlags else { return nil }
        return value
    }

    private func memberValue(_ name: some StringProtocol) -> Int64? {
        if let member = members.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return member.value }
        guard let number = Int64(name), !name.hasPrefix("+"), underlyingType.integerRange?.contains(number) == true
        else {
            return nil
        }
        return isFlags || members.contains { $0.value == number } ? number : nil
    }

    /// The text of a value: a member's name, for flags the names with commas between, else the number.
    ///
    /// Flags are named in the order of declaration, each bit once; a value with a bit that no member has is a number.
    public func text(of value: Int64) -> String {
        if let member = members.first(where: { $0.value == value }) { return member.name }
        guard isFlags, value != 0 else { return "\(value)" }
        var rest = value
        var chosen: [(place: Int, name: String)] = []
        let widest = members.indices.sorted { members[$0].value.nonzeroBitCount > members[$1].value.nonzeroBitCount }
        for place in widest {
            let bits = members[place].value
            guard bits != 0, rest & bits == bits else { continue }
            rest &= ~bits
            chosen.append((place, members[place].name))
        }
        guard rest == 0 else { return "\(value)" }
        return chosen.sorted { $0.place < $1.place }.map(\.name).joined(separator: ",")
    }
}
