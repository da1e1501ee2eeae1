// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows that were gathered: their members with what depends on the whole row.
extension JSONEntityWriter {
    /// Writes the name of a member, after a comma where one is due.
    func member(_ name: String) {
        separate()
        output.appendQuoted(name)
        output.append(UInt8(ascii: ":"))
    }

    private func separate() {
        if frame.hasMembers { output.append(UInt8(ascii: ",")) }
        frame.hasMembers = true
    }

    /// Writes the row at hand up to its expansions.
    func writeCaptured() {
        frame.isPending = false
        writeReplaced()
        openRow()
        frame.hasMembers = false
        let compiled = frame.shape
        let shape = compiled.source
        let names = compiled.names
        let kind = shape.derivation.flatMap { $0.kinds[capture.discriminator] }
        frame.url = url(of: shape)
        frame.kind = kind
        frame.isReferred = names.refersToEntities && !compiled.isReference && isHeld(compiled)
        if compiled.isReference || frame.isReferred {
            member(names.control("id"))
            output.appendQuoted(frame.url)
            return
        }
        writeControl(shape, kind, names)
        writeMembers(of: nil, from: 0, shape, kind, names)
        if names.metadata == .full { writeStreams(shape, kind, names) }
        guard names.metadata == .full else { return }
        let expanded = Set(shape.expansions.map(\.name))
        for link in shape.links where !expanded.contains(link.name) && belongs(link.declaringType, kind) {
            writeLinks(link.name, base(of: link.declaringType, frame), names)
        }
        writeOperations(shape, kind)
    }

    /// The URL of the row, relative to the service root and percent-encoded.
    private func url(of shape: RowShape) -> String {
        if let singleton = shape.singleton, levelRows == 1, frame.collectionURL == nil { return singleton }
        if let place = frame.entityURL ?? shape.standsAt { return place }
        let predicate: KeyPredicate =
            capture.key.count == 1
            ? .positional(capture.key[0])
            : .named(zip(shape.key, capture.key).map { KeyPredicate.Pair(name: $0.name, value: $1) })
        let collection = frame.collectionURL ?? shape.place
        return collection + PercentCoding.encode(segment: predicate.text)
    }

    private func writeControl(_ shape: RowShape, _ kind: RowShape.Derivation.Kind?, _ names: ControlNames) {
        guard names.metadata != .none else { return }
        let isNamed = names.metadata == .full || shape.namesType
        if shape.namesType {
            // The context of the answer does not say which set the entity is of.
            member(names.control("context"))
            output.appendQuoted("\(root)$metadata#\(shape.set)/$entity")
        }
        if isNamed, !shape.type.isEmpty {
            member(names.control("type"))
            output.appendQuoted(names.type(kind?.name ?? shape.type))
        } else if let kind, kind.name != shape.castType {
            member(names.control("type"))
            output.appendQuoted(names.type(kind.name))
        }
        if isNamed, !shape.key.isEmpty {
            member(names.control("id"))
            output.appendQuoted(frame.url)
        }
        if frame.shape.hasETag {
            separate()
            openETag()
        }
        if names.metadata == .full, !shape.key.isEmpty {
            member(names.control(shape.isReadOnly ? "readLink" : "editLink"))
            output.appendQuoted(kind.map { "\(frame.url)/\($0.name)" } ?? frame.url)
        }
    }

    /// Writes the members that belong to a complex property, or to the row itself.
    private func writeMembers(
        of container: Int?,
        from start: Int,
        _ shape: RowShape,
        _ kind: RowShape.Derivation.Kind?,
        _ names: ControlNames
    ) {
        var written: Set<Int> = []
        for (place, column) in shape.columns.enumerated() where place >= start {
            if column.container == container {
                if !column.isHidden, belongs(column.declaringType, kind) { writeMember(place, column, names) }
                continue
            }
            guard let inner = child(of: container, around: column.container, shape), written.insert(inner).inserted
            else { continue }
            writeComplex(inner, shape, kind, names)
        }
    }

    /// Whether the row at hand has what a derived type declares.
    private func belongs(_ declaringType: String?, _ kind: RowShape.Derivation.Kind?) -> Bool {
        guard let declaringType else { return true }
        return kind?.lineage.contains(declaringType) == true
    }

    /// The URL that what a type declares follows: of a derived type after a cast.
    func base(of declaringType: String?, _ frame: Frame) -> String {
        guard declaringType != nil, let kind = frame.kind else { return frame.url }
        return "\(frame.url)/\(kind.name)"
    }

    /// The complex property directly in `container` in which a column stands, or `nil` when it stands elsewhere.
    private func child(of container: Int?, around inner: Int?, _ shape: RowShape) -> Int? {
        var place = inner
        while let current = place {
            if shape.complexes[current].parent == container { return current }
            place = shape.complexes[current].parent
        }
        return nil
    }

    private func writeComplex(
        _ place: Int,
        _ shape: RowShape,
        _ kind: RowShape.Derivation.Kind?,
        _ names: ControlNames
    ) {
        let complex = shape.complexes[place]
        let parts = shape.columns.indices.filter { column in
            isInside(shape.columns[column].container, place, shape) && !shape.columns[column].isHidden
                && belongs(shape.columns[column].declaringType, kind)
        }
        guard !parts.isEmpty else { return }
        if complex.isNullable, parts.allSatisfy({ capture.areNull[$0] && capture.exceptions[$0] == nil }) {
            if !omitsNull(names, hasDefault: parts.contains { shape.columns[$0].defaultValue != nil }) {
                member(complex.name)
                output.append("null")
            }
            return
        }
        member(complex.name)
        output.append(UInt8(ascii: "{"))
        frame.hasMembers = false
        if let context = complex.context, names.metadata != .none {
            member(names.control("context"))
            output.appendQuoted(context)
        }
        if names.metadata == .full, !complex.type.isEmpty {
            member(names.control("type"))
            output.appendQuoted(names.type(complex.type))
        }
        writeMembers(of: place, from: 0, shape, kind, names)
        output.append(UInt8(ascii: "}"))
        frame.hasMembers = true
    }

    private func isInside(_ container: Int?, _ place: Int, _ shape: RowShape) -> Bool {
        var next = container
        while let current = next {
            if current == place { return true }
            next = shape.complexes[current].parent
        }
        return false
    }

    /// Whether a null is left out.
    private func omitsNull(_ names: ControlNames, hasDefault: Bool) -> Bool {
        switch names.omits {
        case nil: false
        case .nulls?: true
        case .nullDefaults?, .defaults?: !hasDefault
        }
    }

    private func writeMember(_ place: Int, _ column: RowShape.Column, _ names: ControlNames) {
        if let held = capture.exceptions[place] {
            // The column of dynamic properties is none itself.
            if column.form == .dynamic { return }
            member(column.name)
            output.append(text: column.form == .jsonArray ? "[]" : "null")
            return write(exception: held, of: column.name, separate)
        }
        if column.form == .dynamic {
            if !capture.areNull[place] { capture.copyMembers(place, column.members, to: output, names, separate) }
            return writeGone(place, column)
        }
        if capture.areNull[place], column.form != .jsonArray {
            if column.keyPlace == nil, omitsNull(names, hasDefault: column.defaultValue != nil) { return }
            member(column.name)
            output.append("null")
            return
        }
        if let text = frame.shape.columns[place].omitted, capture.equals(text, place, column) { return }
        if let type = column.toldType(names.metadata) {
            member(names.control("type", of: column.name))
            output.appendQuoted(names.type(type))
        }
        if let count = capture.counts[place] {
            member(names.control("count", of: column.name))
            append(count: count, to: output)
        }
        member(column.name)
        if capture.areNull[place] { output.append("[]") } else { capture.copy(place, to: output) }
    }

    private func writeStreams(_ shape: RowShape, _ kind: RowShape.Derivation.Kind?, _ names: ControlNames) {
        for stream in shape.streams where belongs(stream.declaringType, kind) {
            let name = stream.name ?? ""
            let link = "\(base(of: stream.declaringType, frame))/\(stream.name ?? "$value")"
            if !shape.isReadOnly {
                member(names.control("mediaEditLink", of: name))
                output.appendQuoted(link)
            }
            member(names.control("mediaReadLink", of: name))
            output.appendQuoted(link)
            if let type = stream.contentType {
                member(names.control("mediaContentType", of: name))
                output.appendQuoted(type)
            }
        }
    }

    private func writeLinks(_ navigation: String, _ base: String, _ names: ControlNames) {
        member(names.control("associationLink", of: navigation))
        output.appendQuoted("\(base)/\(navigation)/$ref")
        member(names.control("navigationLink", of: navigation))
        output.appendQuoted("\(base)/\(navigation)")
    }

    /// Writes what precedes an expansion in a row that was gathered, its name included.
    func writeLinks(of expansion: CompiledShape.Expansion) {
        let names = frame.shape.names
        if let context = expansion.source.context {
            if names.metadata != .none {
                member(names.control("context", of: expansion.source.name))
                output.appendQuoted(context)
            }
        } else if names.metadata == .full {
            writeLinks(expansion.source.name, base(of: expansion.source.declaringType, frame), names)
        }
        member(expansion.source.name)
    }
}
