// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// One request, parsed and with all that its handler needs to know: alone, or one of a batch.
@dynamicMemberLookup
struct Call {
    struct Content {
        var method: HTTPRequest.Method
        var target: RequestTarget
        /// The path below the service root and the query, percent-encoded as they came: links repeat them.
        var text: Substring
        var fields: HTTPFields
        var body: [UInt8]
        /// What the body says, where it was read ahead.
        var read: ReadBody?
        var user: UserContext
        var userName: String?
        /// The version that the answer is written in.
        var version: ODataVersion
        var preferences: Preferences
        var format: JSONFormat
        /// The service root, absolute where the host is known, with a slash at its end.
        var root: String
        /// What earlier requests of the batch made or addressed, by their ids.
        var references: [String: Reference] = [:]
        /// The same of the requests of its group: apart, for merged for each request they would be copied for each.
        var groupReferences: [String: Reference] = [:]
        /// What the client knew when it made the group of the request, where it says so.
        var known: FeedPosition?
        /// The body in a file, where the server wrote it into one: then `body` is empty.
        var upload: MediaUpload?
        /// Whether an answer may be cut into pages; not inside a snapshot batch.
        var isPaged = true
    }

    /// Held apart: a request goes through many hands, and each copy of all that it has would count some twenty references.
    private final class Storage {
        var content: Content

        init(_ content: Content) { self.content = content }
    }

    private var storage: Storage

    init(_ content: Content) { storage = Storage(content) }

    subscript<Member>(dynamicMember path: WritableKeyPath<Content, Member>) -> Member {
        get { storage.content[keyPath: path] }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
            yield &storage.content[keyPath: path]
        }
    }

    /// An entity that an earlier request of the batch was about.
    struct Reference {
        var set: EntitySet
        var key: Key
        /// Its version as that request left it; `nil` inside the group of that request.
        var etag: ETag?
    }

    /// The entity that the earlier request with that id was about.
    func reference(_ id: String) -> Reference? { self.groupReferences[id] ?? self.references[id] }

    var options: QueryOptions { self.target.options }

    /// The preferences that the body is written by, for the answer to tell.
    var applied: Preferences {
        var applied = self.preferences.none
        if let omits = self.format.omits { applied.omits = omits == .defaults ? .defaults : .nulls }
        applied.annotations = self.format.annotations?.patterns
        // Without $expand no entity stands in an answer twice.
        applied.allowsEntityReferences = self.format.refersToEntities && !options.expand.isEmpty
        return applied
    }

    var contextRoot: String { self.root + "$metadata" }
}
