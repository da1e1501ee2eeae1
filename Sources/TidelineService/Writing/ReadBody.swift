// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// The body of a change, read before the transaction begins: who writes holds up all others, and reading is long.
///
/// Only where the URL alone says what set it is for. What is wrong with it is told when its turn comes.
final class ReadBody: Sendable {
    enum Content {
        case entity(Result<EntityBody, ODataError>)
        case delta(Result<DeltaBody, ODataError>)
    }

    /// The wire name of the set.
    let set: String
    let content: Content

    /// Whether it is a delta that can be carried out.
    var isDelta: Bool {
        if case .delta(.success) = content { true } else { false }
    }

    private init(_ set: String, _ content: Content) {
        self.set = set
        self.content = content
    }

    /// The entity of the body, where it was read for that set.
    static func entity(_ call: Call, of set: EntitySet) throws(ODataError) -> EntityBody? {
        guard let read = call.read, case .entity(let result) = read.content, read.set == set.names.wire else {
            return nil
        }
        return try result.get()
    }

    /// The delta of the body, where it was read for that set.
    static func delta(_ call: Call, of set: EntitySet) throws(ODataError) -> DeltaBody? {
        guard let read = call.read, case .delta(let result) = read.content, read.set == set.names.wire else {
            return nil
        }
        return try result.get()
    }

    /// Reads the bodies of the requests of a group.
    struct Reader {
        let core: Core
        private var readers: [String: EntityBodyReader] = [:]

        init(core: Core) { self.core = core }

        mutating func read(_ call: Call) -> ReadBody? {
            // Who may not write is told so, and costs no reading.
            func may(_ operation: Policy.Operation, _ set: String) -> Bool {
                core.planner.policies.access(operation, to: set, for: call.user) != .none
            }
            let segments = call.target.path.segments
            guard segments.count == 1, case .name(let name, let key)? = segments.first, !call.body.isEmpty,
                let set = core.planner.model[named: name], let version = try? ODataVersion.ofBody(call.fields)
            else { return nil }
            guard may(.insert, name) && call.method != .patch || may(.update, name) && call.method != .post else {
                return nil
            }
            switch (call.method, key) {
            case (.patch, nil):
                let reader = DeltaBodyReader(model: core.planner.model, set: set, version: version)
                let limit = core.planner.limits.batchRequests
                let continues = call.preferences.continuesOnError ?? false
                return ReadBody(
                    name,
                    .delta(
                        Result { () throws(ODataError) in
                            try reader.read(call.body, limit: limit, continuesOnError: continues)
                        }
                    )
                )
            case (.post, nil) where set.type.mediaProperty == nil, (.patch, _?), (.put, _?):
                let reader = reader(of: set, version)
                return ReadBody(name, .entity(Result { () throws(ODataError) in try reader.read(call.body) }))
            default: return nil
            }
        }

        /// One for all requests to a set: what names its properties is made once.
        private mutating func reader(of set: EntitySet, _ version: ODataVersion) -> EntityBodyReader {
            let name = "\(version.rawValue) \(set.names.wire)"
            if let reader = readers[name] { return reader }
            let reader = EntityWrite.reader(of: set, core.planner.model, version)
            readers[name] = reader
            return reader
        }
    }
}
