// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// Which methods a path takes, as far as its form says.
enum Methods {
    static func allowed(_ path: ResourcePath) -> [HTTPRequest.Method] {
        switch path.segments.last {
        case nil, .metadata?, .count?, .all?, .crossjoin?, .entity?: [.get, .head, .options]
        case .query?: [.post, .options]
        case .value?: [.get, .head, .put, .delete, .options]
        case .action?: [.post, .options]
        case .function?: [.get, .head, .post, .options]
        case .batch?: [.post, .options]
        case .ref?: [.get, .head, .post, .put, .delete, .options]
        case .filter?: [.get, .head, .options]
        case .each?: [.get, .head, .patch, .delete, .options]
        case .cast?: [.get, .head, .post, .patch, .put, .delete, .options]
        case .reference?, .key?, .literal?: [.get, .head, .patch, .put, .delete, .options]
        case .name(_, let key)?:
            key == nil
                ? [.get, .head, .post, .patch, .put, .delete, .options]
                : [.get, .head, .patch, .put, .delete, .options]
        }
    }

    /// The kind of the operation that a path calls, as far as names say; `nil` for another path.
    ///
    /// What an entity is called by, a property or an entity set of the name counts first.
    static func operation(of path: ResourcePath, in model: EntityModel) -> EdmOperation.Kind? {
        let name: String
        switch path.segments.last {
        case .name(let text, let key)?:
            if case .positional? = key { return nil }
            name = text
        case .cast(let text)?, .function(let text, _)?, .action(let text)?: name = text
        default: return nil
        }
        guard !model.operations.isEmpty else { return nil }
        if path.segments.count == 1 {
            guard model[named: name] == nil, model[singleton: name] == nil else { return nil }
            return model.operations(imported: name).first?.kind
        }
        let plain: String
        if let dot = name.lastIndex(of: ".") {
            guard name[..<dot] == model.namespace else { return nil }
            plain = String(name[name.index(after: dot)...])
        } else {
            plain = name
            let isMember = model.sets.contains { set in
                set.type.member(name) != nil
                    || set.type.derivedTypes.contains { set.type.member(name, as: $0.names.wire) != nil }
            }
            if isMember { return nil }
        }
        return model.operations.first { $0.isBound && $0.names.wire == plain }?.kind
    }

    /// The methods of a path, with those of operations and of an entity set itself: it is one segment without a key.
    static func allowed(_ path: ResourcePath, in model: EntityModel) -> [HTTPRequest.Method] {
        switch operation(of: path, in: model) {
        case .function?: return [.get, .head, .options]
        case .action?: return [.post, .options]
        case nil: break
        }
        let place = place(path, in: model)
        if place?.owner.isReadOnly == true, path.segments.last != .value { return [.get, .head, .options] }
        if path.segments.count == 1, case .name(let name, nil) = path.segments[0] {
            return model[singleton: name] == nil
                ? [.get, .head, .post, .patch, .options] : [.get, .head, .patch, .put, .options]
        }
        switch place {
        case .part?: return [.get, .head, .options]
        case .dynamic? where path.segments.last != .value: return [.get, .head, .put, .delete, .options]
        case .dynamic?: return [.get, .head, .options]
        default: break
        }
        guard case .property(let property, _)? = place, property.stream == nil else { return allowed(path) }
        if case .collection? = property.structure { return [.get, .head, .post, .put, .delete, .options] }
        if case .complex? = property.structure { return [.get, .head, .patch, .put, .delete, .options] }
        return [.get, .head, .put, .delete, .options]
    }
}

extension Methods {
    /// What a path leads to, as far as names say.
    enum Place {
        case set(EntitySet), entity(EntitySet), complex(String, EntitySet)
        case property(Property, EntitySet)
        /// What stands inside of the JSON in a property: an item by its place, a member.
        case part(Property, EntitySet)
        /// A property that an open type does not declare, or what stands inside of it.
        case dynamic(String, EntitySet)

        /// The set whose entities it is about.
        var owner: EntitySet {
            switch self {
            case .set(let set), .entity(let set), .complex(_, let set), .property(_, let set), .part(_, let set),
                .dynamic(_, let set):
                set
            }
        }
    }

    /// Follows the names of a path; `nil` where they alone do not tell.
    static func place(_ path: ResourcePath, in model: EntityModel) -> Place? {
        guard case .name(let first, let key)? = path.segments.first else { return nil }
        var place: Place
        if let singleton = model[singleton: first], key == nil, let set = model[set: singleton.set] {
            place = .entity(set)
        } else {
            guard let set = model[named: first] else { return nil }
            place = key == nil ? .set(set) : .entity(set)
        }
        var derived: String?
        for segment in path.segments.dropFirst() {
            switch (segment, place) {
            case (.key, .set(let set)): place = .entity(set)
            case (.cast(let name), .set(let set)), (.cast(let name), .entity(let set)):
                guard let type = set.type.cast(name, in: model) else { return nil }
                derived = type ?? derived
            case (.filter, .set), (.each, .set): continue
            case (.name(_, nil), .property(let property, let set)), (.literal, .property(let property, let set)),
                (.name(_, nil), .part(let property, let set)), (.literal, .part(let property, let set)):
                guard property.isJSON else { return nil }
                place = .part(property, set)
            case (.value, .dynamic), (.value, .part): continue
            case (.name(let name, let key), .entity(let set)):
                guard let next = step(name, key, from: set, as: derived, in: model) else { return nil }
                (place, derived) = (next, nil)
            default: return nil
            }
        }
        return place
    }

    private static func step(
        _ name: String,
        _ key: KeyPredicate?,
        from set: EntitySet,
        as derived: String?,
        in model: EntityModel
    ) -> Place? {
        switch set.type.member(name, as: derived) {
        case .property(let place)?: return .property(set.type.properties[place], set)
        case .complex?: return .complex(name, set)
        case .navigation(let place)?:
            let navigation = set.type.navigationProperties[place]
            guard let target = model[set: navigation.targetSet] else { return nil }
            return navigation.isCollection && key == nil ? .set(target) : .entity(target)
        case nil: return key == nil && set.type.dynamicProperty != nil ? .dynamic(name, set) : nil
        }
    }

    /// The sentence that refuses a method, and tells what the path takes.
    static func reason(
        against method: HTTPRequest.Method,
        _ path: ResourcePath,
        in model: EntityModel
    ) -> String {
        let verb = method.rawValue
        let verbs = list(allowed(path, in: model))
        let last = path.segments.last
        switch (operation(of: path, in: model), last) {
        case (let kind?, .name(let name, _)?), (let kind?, .cast(let name)?), (let kind?, .function(let name, _)?),
            (let kind?, .action(let name)?):
            return kind == .action
                ? "\(name) is an action: it is called by POST, with its parameters in the body."
                : "\(name) is a function: it is called by GET, with its parameters in the address."
        default: break
        }
        switch last {
        case nil: return "The service root takes GET; an entity is made by POST to its set."
        case .filter?: return "A filtered collection takes GET; its entities are changed with /$each behind it."
        case .each?: return "/$each takes \(verbs), for each entity of what stands before it."
        case .query?: return "/$query takes POST, with the query options in the body."
        case .metadata?: return "$metadata takes \(verbs)."
        case .count?: return "/$count takes \(verbs)."
        case .value?: return "/$value takes \(verbs)."
        case .ref?: return "/$ref takes \(verbs)."
        case .batch?: return "$batch takes \(verbs)."
        case .all?: return "$all takes \(verbs)."
        case .crossjoin?: return "$crossjoin takes \(verbs)."
        case .entity?: return "$entity takes \(verbs); what it names is changed at its own address."
        default: break
        }
        let place = place(path, in: model)
        if let set = place?.owner, set.isReadOnly { return "\(set.names.wire) can only be read: it takes GET." }
        if verb == "MERGE" { return "MERGE is of OData 2.0, at v2/; here the method is PATCH." }
        switch place {
        case .set(let set)?:
            let name = set.names.wire
            return "\(verb) is not for the whole of \(name), which takes \(verbs); one entity is \(name)(key)."
        case .entity(let set)? where method == .post:
            return "POST adds to a collection, and this is one entity of \(set.names.wire), which takes \(verbs)."
        case .entity(let set)?: return "\(verb) is not for an entity of \(set.names.wire), which takes \(verbs)."
        case .property(let property, _)?:
            return "\(verb) is not for the property \(property.names.wire), which takes \(verbs)."
        case .complex(let name, _)?, .dynamic(let name, _)?:
            return "\(verb) is not for the property \(name), which takes \(verbs)."
        case .part(let property, _)?:
            return "\(verb) is not for a part of the property \(property.names.wire), which takes \(verbs)."
        case nil: return "\(verb) is not for this path, which takes \(verbs)."
        }
    }

    /// `GET, PATCH and DELETE`: those that do something.
    private static func list(_ methods: [HTTPRequest.Method]) -> String {
        let names = methods.filter { $0 != .head && $0 != .options }.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension Property {
    /// Whether paths go on in it: a collection or a complex value.
    fileprivate var isJSON: Bool {
        switch structure {
        case .collection?, .complex?: true
        case .dynamic?, nil: false
        }
    }
}
