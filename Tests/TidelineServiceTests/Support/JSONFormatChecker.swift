// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

@testable import TidelineOData

/// Reads answers as OData JSON Format 4.01 describes them, and lists what it does not allow.
///
/// Written from the standard, not from the writer: it knows the model, the form that was asked for and what the request
/// was, and nothing else.
struct JSONFormatChecker {
    /// What the rows of an answer may hold.
    struct Rows {
        var set: String
        /// The derived type that the request casts to.
        var cast: String?
        /// The structural properties that are selected; `nil` for all.
        var selected: Set<String>?
        var expanded: [String: Rows] = [:]
        /// Properties that the request computes, with whether their type must be told (section 4.5.3).
        var computed: [String: Bool] = [:]
        /// Navigation properties and collections with a count in the row.
        var counted: Set<String> = []
        /// References take the place of entities.
        var areReferences = false
        /// Entities of other sets stand beside them, so that each says what it is.
        var isMixed = false
        /// The rows are groups: no entities.
        var areGroups = false
    }

    enum Kind {
        case document
        case collection(Rows), entity(Rows), delta(Rows)
        case value(Property), complex(String), reference
    }

    let model: EntityModel
    let version: ODataVersion
    let metadata: JSONFormat.Metadata
    let isIEEE754: Bool
    var violations: [String] = []

    init(model: EntityModel, version: ODataVersion, metadata: JSONFormat.Metadata, isIEEE754: Bool) {
        self.model = model
        self.version = version
        self.metadata = metadata
        self.isIEEE754 = isIEEE754
    }

    mutating func wrong(_ text: String) { violations.append(text) }

    // MARK: Control information

    private enum Name {
        case control(String), annotation(String, String), plain(String)
    }

    /// Section 4.5: with `odata.` in 4.0, without it in 4.01, and only terms that the standard has.
    private mutating func name(_ text: String) -> Name {
        guard let sign = text.firstIndex(of: "@") else { return .plain(text) }
        var term = String(text[text.index(after: sign)...])
        let isPrefixed = term.hasPrefix("odata.")
        if isPrefixed { term.removeFirst(6) }
        if isPrefixed != (version == .v40) { wrong("\(text) has the prefix of the other version") }
        return sign == text.startIndex ? .control(term) : .annotation(String(text[..<sign]), term)
    }

    private var rootTerms: Set<String> {
        metadata == .none ? ["count", "nextLink", "deltaLink"] : ["context", "count", "nextLink", "deltaLink"]
    }

    /// Section 3.1: what may stand in a row.
    private func rowTerms(_ rows: Rows, isRoot: Bool) -> Set<String> {
        var terms: Set<String> = isRoot && metadata != .none ? ["context"] : []
        switch metadata {
        case .none: break
        case .minimal: terms.formUnion(["etag", "type", "mediaEtag", "mediaContentType"])
        case .full:
            terms.formUnion([
                "etag", "type", "id", "editLink", "readLink", "mediaEtag", "mediaContentType", "mediaReadLink",
                "mediaEditLink",
            ])
        }
        if rows.areReferences { terms.insert("id") }
        if rows.isMixed { terms.formUnion(["id", "type", "context"]) }
        return terms
    }

    // MARK: Answers

    mutating func check(_ tree: JSONTree, _ kind: Kind, context: String) {
        guard case .object(let members) = tree else { return wrong("the answer is no object") }
        if metadata == .none {
            if members.contains(where: { $0.0.hasSuffix("context") }) { wrong("a context with metadata=none") }
        } else {
            let first = version == .v40 ? "@odata.context" : "@context"
            if members.first?.0 != first { wrong("the context is not the first member") }
            if members.first?.1.text != context {
                wrong("the context is \(members.first?.1.text ?? "-"), not \(context)")
            }
        }
        noTwins(members)
        switch kind {
        case .document: document(members)
        case .collection(let rows), .delta(let rows): collection(members, rows)
        case .entity(let rows): entity(members, rows, isRoot: true)
        case .value(let property): value(members, property)
        case .complex(let type):
            let inner = members.filter { $0.0 != "@context" && $0.0 != "@odata.context" }
            complex(.object(inner), type, at: type)
        case .reference:
            if metadata != .none, members.map(\.0) != [members[0].0, version == .v40 ? "@odata.id" : "@id"] {
                wrong("a reference is a context and an id")
            }
        }
    }

    private mutating func noTwins(_ members: [(String, JSONTree)]) {
        if Set(members.map(\.0)).count != members.count { wrong("a member is there twice: \(members.map(\.0))") }
    }

    /// Section 5.
    private mutating func document(_ members: [(String, JSONTree)]) {
        guard let value = members.first(where: { $0.0 == "value" })?.1, case .list(let items) = value else {
            return wrong("the service document has no value")
        }
        for item in items {
            let names = item.members.map(\.0)
            if item["name"]?.text == nil || item["url"]?.text == nil { wrong("a resource has no name or no url") }
            if !Set(names).isSubset(of: ["name", "kind", "url", "title"]) { wrong("a resource has \(names)") }
            let kind = item["kind"]?.text ?? "EntitySet"
            if !["EntitySet", "Singleton", "FunctionImport", "ServiceDocument"].contains(kind) {
                wrong("kind \(kind)")
            }
        }
    }

    /// Sections 12 and 4.5: control information before or after the value, nothing else beside it.
    private mutating func collection(_ members: [(String, JSONTree)], _ rows: Rows) {
        var hasValue = false
        for (text, value) in members {
            switch name(text) {
            case .plain("value"):
                hasValue = true
                guard case .list(let items) = value else {
                    wrong("value is no array")
                    continue
                }
                for item in items {
                    guard case .object(let members) = item else {
                        wrong("an item is no object")
                        continue
                    }
                    entity(members, rows, isRoot: false)
                }
            case .control("count"): count(value, text)
            case .control(let term) where rootTerms.contains(term):
                if value.text == nil { wrong("\(text) is no text") }
            default: wrong("\(text) stands beside the value")
            }
        }
        if !hasValue { wrong("there is no value") }
    }

    private mutating func count(_ value: JSONTree, _ name: String) {
        switch value {
        case .integer(let number) where !isIEEE754 && number >= 0: return
        case .text(let text) where isIEEE754 && Int(text) != nil: return
        default: wrong("\(name) is \(value.scalar ?? "-")")
        }
    }

    // MARK: Rows

    private mutating func entity(_ members: [(String, JSONTree)], _ rows: Rows, isRoot: Bool) {
        noTwins(members)
        guard let set = model[set: rows.set] else { return wrong("no set \(rows.set)") }
        if rows.isMixed { return mixed(members) }
        let terms = rowTerms(rows, isRoot: isRoot)
        var kind = rows.cast
        var plain: [String] = []
        var seenProperty = false
        var waiting: Set<String> = []
        for (place, (text, value)) in members.enumerated() {
            switch name(text) {
            case .control(let term):
                if !terms.contains(term) { wrong("\(text) in a row") }
                if term == "type" { kind = typeName(value, set.type.names.wire) }
                if ["type", "id", "etag"].contains(term), seenProperty { wrong("\(text) after a property") }
                if term == "type", place > (isRoot && metadata != .none ? 1 : 0) { wrong("the type is not in front") }
                if term == "etag", value.text?.hasPrefix("W/\"") != true { wrong("an ETag that is none") }
            case .annotation(let property, let term):
                seenProperty = true
                annotation(property, term, value, rows, set, following: members[(place + 1)...].first?.0, &waiting)
            case .plain(let property):
                seenProperty = true
                waiting.remove(property)
                plain.append(property)
                member(property, value, rows, set, kind)
            }
        }
        if !waiting.isEmpty { wrong("annotations of \(waiting) without the property behind them") }
        guard !rows.areReferences, !rows.areGroups else { return }
        let hasETag = members.contains { $0.0 == (version == .v40 ? "@odata.etag" : "@etag") }
        if hasETag != (metadata != .none) { wrong("an ETag is \(hasETag ? "there" : "missing") in \(rows.set)") }
        complete(Set(plain), rows, set, kind)
    }

    /// Section 4.5.3: a fragment, with the namespace of the model.
    private mutating func typeName(_ value: JSONTree, _ declared: String) -> String? {
        guard let text = value.text, text.hasPrefix("#\(model.namespace).") else {
            wrong("the type \(value.scalar ?? "-")")
            return nil
        }
        let local = String(text.dropFirst(model.namespace.count + 2))
        return local == declared ? nil : local
    }

    /// Each says its set, its type and its id: section 3.1.1.
    private mutating func mixed(_ members: [(String, JSONTree)]) {
        guard metadata != .none else { return }
        let prefix = version == .v40 ? "@odata." : "@"
        for term in ["context", "type", "id", "etag"] where !members.contains(where: { $0.0 == prefix + term }) {
            wrong("an entity of any set without its \(term)")
        }
        if members.first?.0 != prefix + "context" { wrong("the context of an entity is not its first member") }
    }

    private mutating func annotation(
        _ property: String,
        _ term: String,
        _ value: JSONTree,
        _ rows: Rows,
        _ set: EntitySet,
        following next: String?,
        _ waiting: inout Set<String>
    ) {
        let isNavigation = set.type.navigationProperties.contains { $0.names.wire == property }
        let isStream = set.type.properties.contains { $0.names.wire == property && $0.stream != nil }
        switch term {
        case "type":
            let mustTell = rows.computed[property] == true
            if metadata != .full, !mustTell { wrong("the type of \(property) with metadata=\(metadata.rawValue)") }
            waiting.insert(property)
            guard let text = value.text else { return wrong("a type that is no text") }
            let isPrimitive = !text.contains(".")
            if version == .v40, !text.hasPrefix("#") { wrong("\(text) without # in 4.0") }
            if version == .v401, isPrimitive, text.hasPrefix("#") { wrong("\(text) with # in 4.01") }
        case "count":
            if !rows.counted.contains(property) { wrong("a count of \(property) that was not asked for") }
            count(value, "\(property)@count")
            if rows.expanded[property] != nil || !isNavigation { waiting.insert(property) }
        case "nextLink": break
        case "associationLink", "navigationLink":
            if metadata != .full || !isNavigation { wrong("\(property)@\(term)") }
            if rows.expanded[property] != nil { waiting.insert(property) }
        case "mediaReadLink", "mediaEditLink", "mediaContentType", "mediaEtag":
            if metadata == .none || !isStream { wrong("\(property)@\(term)") }
        default: wrong("\(property)@\(term)")
        }
        // Between an annotation and its property stand other annotations of it alone.
        if waiting.contains(property), let next, next != property, !next.hasPrefix(property + "@") {
            wrong("\(property)@\(term) is not immediately before \(property) but before \(next)")
        }
    }

    private mutating func member(_ name: String, _ value: JSONTree, _ rows: Rows, _ set: EntitySet, _ kind: String?) {
        if let inner = rows.expanded[name] {
            let isCollection = set.type.navigationProperties.first { $0.names.wire == name }?.isCollection == true
            switch value {
            case .list(let items) where isCollection:
                for item in items { entity(item.members, inner, isRoot: false) }
            case .object(let members) where !isCollection: entity(members, inner, isRoot: false)
            case .null where !isCollection: return
            default: wrong("\(name) is not what it leads to")
            }
            return
        }
        if rows.computed[name] != nil { return }
        if let complex = set.type.complexProperties.first(where: { $0.names.wire == name && $0.parent == nil }) {
            return self.complex(value, complex.type, at: name)
        }
        let property = set.type.properties.first {
            $0.names.wire == name && $0.container == nil && $0.structure != .dynamic
        }
        guard let property else {
            if set.type.dynamicProperty == nil { wrong("\(rows.set) has no \(name)") }
            return
        }
        if property.stream != nil { wrong("the stream \(name) in line") }
        if let type = property.declaringType, type != kind, metadata != .none {
            wrong("\(name) in a row that is no \(type)")
        }
        check(value, property)
    }

    /// Nulls are never left out: all declared properties are there, or those that were selected.
    private mutating func complete(_ found: Set<String>, _ rows: Rows, _ set: EntitySet, _ kind: String?) {
        var expected: Set<String> = []
        for property in set.type.properties
        where property.container == nil && property.stream == nil && property.structure != .dynamic
            && !property.isLocalOnly
        {
            guard property.declaringType == nil || property.declaringType == kind else { continue }
            expected.insert(property.names.wire)
        }
        expected.formUnion(set.type.complexProperties.filter { $0.parent == nil }.map(\.names.wire))
        if let selected = rows.selected {
            expected.formIntersection(selected.union(set.type.key.map { set.type.properties[$0].names.wire }))
        }
        expected.formUnion(rows.computed.keys)
        let expanded = Set(rows.expanded.keys)
        let missing = expected.union(expanded).subtracting(found)
        if !missing.isEmpty, metadata != .none || kind == nil { wrong("\(rows.set) lacks \(missing.sorted())") }
        guard rows.selected != nil else { return }
        let surplus = found.subtracting(expected).subtracting(expanded)
        if !surplus.isEmpty { wrong("\(rows.set) has \(surplus.sorted()), which was not selected") }
    }
}
