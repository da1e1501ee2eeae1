// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
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

    /// The methods of an entity set itself: it is one segment without a key.
    static func allowedOnSet(_ path: ResourcePath) -> [HTTPRequest.Method] {
        if path.segments.count == 1, case .name(_, nil) = path.segments[0] {
            return [.get, .head, .post, .patch, .options]
        }
        return allowed(path)
    }
}
