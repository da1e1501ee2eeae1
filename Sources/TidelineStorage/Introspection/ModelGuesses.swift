// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Features of the model that names and constraints of tables suggest: some are decided, others only told.
///
///     always        CHECK (status IN ('new', 'paid'))          an enumeration
///                   photo BLOB, photo_type TEXT                a stream
///                   CHECK (id = 1)                             a singleton
///     where wanted  collections, complex values, derived types, JSON, versions
///
/// What is not wanted becomes a hint.
struct ModelGuesses {
    var drafts: [TableDraft]
    var types: WireNames
    let wanted: Set<Guess>
    var enumerations: [EnumerationType] = []
    var complexTypes: [ComplexType] = []
    var problems: [Introspection.Problem] = []
    /// The prefixes of groups of columns that a hint was given for, by the draft.
    var hinted: [Int: Set<String>] = [:]

    init(drafts: [TableDraft], types: WireNames, wanted: Set<Guess>) {
        self.drafts = drafts
        self.types = types
        self.wanted = wanted
    }

    mutating func run() {
        for place in drafts.indices {
            findJSON(place)
            findEnumerations(place)
            findStreams(place)
            findComplex(place)
        }
        findCollections()
    }

    /// Decides, or tells what could be decided.
    ///
    /// - Returns: whether it is wanted.
    mutating func decide(_ guess: Guess, _ table: String, decided: String, hint: String) -> Bool {
        guard wanted.contains(guess) else {
            problems.append(.hint(table, hint, guess))
            return false
        }
        problems.append(.note(table, decided))
        return true
    }

    // MARK: JSON

    private mutating func findJSON(_ place: Int) {
        for (index, property) in drafts[place].properties.enumerated() {
            let column = property.names.database
            guard property.type == .string, property.structure == nil, !drafts[place].isReference(column),
                let structure = drafts[place].json[column]?.structure
            else { continue }
            if structure == .dynamic, drafts[place].properties.contains(where: { $0.structure == .dynamic }) {
                continue
            }
            let table = drafts[place].name
            var what = "an object of properties beside the declared ones"
            if case .collection(of: .primitive(let type), itemsNullable: _) = structure {
                what = "a collection of \(type.rawValue.dropFirst(4))"
            }
            let isCollection = structure != .dynamic
            let isWanted = decide(
                .json,
                table,
                decided: "\(table): each value of the column \(column) is JSON, and \(what).",
                hint: "\(table): each value of the column \(column) is JSON; it could be \(what) "
                    + (isCollection ? "(collection: TYPE)." : "(dynamic: true).")
            )
            guard isWanted else { continue }
            drafts[place].properties[index].structure = structure
            drafts[place].properties[index].defaultValue = nil
            drafts[place].properties[index].allowedValues = []
            drafts[place].properties[index].maxLength = nil
        }
    }

    // MARK: Enumerations

    private mutating func findEnumerations(_ place: Int) {
        for (index, property) in drafts[place].properties.enumerated() {
            let texts = property.allowedValues.compactMap { value in
                if case .string(let text) = value { text } else { nil }
            }
            // Names of the file's format: ASCII, so that every tool agrees.
            guard property.type == .string, texts.count > 1, texts.count == property.allowedValues.count,
                property.generation == .none, !property.isLocalOnly, texts.allSatisfy(Self.isMember),
                !drafts[place].isReference(property.names.database), property.storage == .native,
                !drafts[place].isReadOnly
            else { continue }
            var standard: Value?
            if case .string(let text)? = property.defaultValue {
                guard let number = texts.firstIndex(of: text) else { continue }
                standard = .integer(Int64(number))
            }
            let column = WireNames.code(property.names.wire, capital: true)
            let name = types.first(of: [column, drafts[place].typeNames.code + column])
            enumerations.append(
                EnumerationType(
                    names: Names(wire: name, code: name, database: name),
                    members: texts.enumerated().map { EnumerationType.Member($1, Int64($0)) }
                )
            )
            drafts[place].properties[index].type = .int32
            drafts[place].properties[index].storage = .memberName
            drafts[place].properties[index].enumeration = name
            drafts[place].properties[index].allowedValues = []
            drafts[place].properties[index].maxLength = nil
            drafts[place].properties[index].defaultValue = standard
            problems.append(
                .note(
                    drafts[place].name,
                    "\(drafts[place].name): the column \(property.names.database) becomes the enumeration \(name)."
                )
            )
        }
    }

    private static func isMember(_ text: String) -> Bool {
        WireNames.identifier(text) == text && text.utf8.allSatisfy { $0 < 0x80 }
            && !["true", "false", "null"].contains(text.lowercased())
    }

    // MARK: Streams

    private static let typeNames = [
        "type", "contenttype", "mediatype", "mimetype", "mime",
    ]

    private mutating func findStreams(_ place: Int) {
        let properties = drafts[place].properties
        func plain(_ property: Property) -> String { property.names.database.lowercased().filter { $0 != "_" } }
        for (index, property) in properties.enumerated() {
            guard property.type == .binary, property.storage == .native, property.generation == .none,
                !drafts[place].isReference(property.names.database)
            else { continue }
            let names = Set(Self.typeNames.map { plain(property) + $0 })
            let siblings = properties.indices.filter {
                properties[$0].type == .string && properties[$0].generation == .none
                    && names.contains(plain(properties[$0]))
                    && properties[$0].structure == nil
            }
            guard siblings.count == 1 else { continue }
            drafts[place].properties[index].stream = MediaStream(contentTypeProperty: siblings[0])
            drafts[place].properties[index].defaultValue = nil
            problems.append(
                .note(
                    drafts[place].name,
                    "\(drafts[place].name): the column \(property.names.database) is a stream, and "
                        + "\(properties[siblings[0]].names.database) its media type."
                )
            )
        }
    }
}
