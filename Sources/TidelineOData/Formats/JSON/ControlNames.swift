// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The names of control information in one format.
struct ControlNames {
    let version: ODataVersion
    let metadata: JSONFormat.Metadata
    let omits: JSONFormat.Omission?
    let annotations: AnnotationChoice?
    let refersToEntities: Bool

    init(_ format: JSONFormat) {
        version = format.version
        metadata = format.metadata
        omits = format.omits
        annotations = format.annotations
        // Without control information there is nothing to refer by.
        refersToEntities = format.refersToEntities && format.metadata != .none
    }

    /// `@odata.id`, or `Name@odata.type` with a property.
    func control(_ name: String, of property: String = "") -> String { "\(property)@\(version.controlPrefix)\(name)" }

    /// A dynamic value with its control information under the names of the version; without it where none is wanted.
    func renamed(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .list(let items): return .list(items.map(renamed))
        case .object(let members):
            // A database may keep the members in another order; what is said of a value stands before it.
            var first: [(String, JSONTree)] = []
            var told: [String: [(String, JSONTree)]] = [:]
            for (name, value) in members where metadata != .none {
                switch ControlName(name) {
                case .control(let term) where !term.contains("."): first.append((control(term), value))
                case .annotation(let property, let term) where !term.contains("."):
                    told[property, default: []].append((control(term, of: property), value))
                default: break
                }
            }
            for (name, value) in members {
                switch ControlName(name) {
                case .control(let term) where !term.contains("."), .annotation(_, let term) where !term.contains("."):
                    break
                case .control(let term) where annotations?.includes(member: term[...]) == false: break
                case .annotation(_, let term) where annotations?.includes(member: term[...]) == false: break
                default: first += (told.removeValue(forKey: name) ?? []) + [(name, renamed(value))]
                }
            }
            return .object(first + told.sorted { $0.key < $1.key }.flatMap(\.value))
        default: return tree
        }
    }

    /// A value of a column without the annotations that are not asked for.
    func kept(_ tree: JSONTree, _ annotations: AnnotationChoice) -> JSONTree {
        switch tree {
        case .list(let items): return .list(items.map { kept($0, annotations) })
        case .object(let members):
            return .object(
                members.compactMap { name, value in
                    switch ControlName(name) {
                    case .control(let term) where term.contains("."), .annotation(_, let term) where term.contains("."):
                        guard annotations.includes(member: term[...]) else { return nil }
                    default: break
                    }
                    return (name, kept(value, annotations))
                }
            )
        default: return tree
        }
    }

    /// A type's name as a value of control information: 4.01 drops the hash sign of primitive types.
    func type(_ name: String) -> String {
        let isPrimitive = !name.contains(".")
        return version == .v401 && isPrimitive ? name : "#\(name)"
    }
}
