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
        if path.segments.count == 1, case .name(_, nil) = path.segments[0] {
            return [.get, .head, .post, .patch, .options]
        }
        return allowed(path)
    }
}
