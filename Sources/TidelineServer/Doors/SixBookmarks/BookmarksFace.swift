// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineService

/// The names of 2010 over a set of the domain: `Bookmark` of `AmxMobile.Services` in `BookmarkCollection`.
///
/// One model of one set, without ways to others; what a user may do with it is the domain's own affair.
struct BookmarksFace {
    static let set = "Bookmark"

    /// What the translation from and to v4 knows.
    let context: V2Context
    let settings: SixBookmarksCompatibility
    /// The address of the service as the client wrote it.
    let asked: String

    /// - Parameter base: scheme and authority, `http://host`.
    /// - Returns: `nil` where the domain's set is gone.
    init?(_ domain: Domain, _ settings: SixBookmarksCompatibility, at address: BookmarksAddress, base: String) {
        guard var set = domain.model[set: settings.set] else { return nil }
        let published = set.names.wire
        var type = set.type
        type.names = Names(wire: Self.set)
        type.navigationProperties = []
        set.names = Names(wire: Self.set)
        set.type = type
        var model = EntityModel(namespace: "AmxMobile.Services", container: "BookmarkCollection", sets: [set])
        model.enumerations = domain.model.enumerations
        model.complexTypes = domain.model.complexTypes
        self.settings = settings
        asked = base + address.root
        var context = V2Context(
            model: model,
            root: "/odata/\(domain.name)/",
            v2Root: base + address.canonicalRoot
        )
        context.publishedNames = [Self.set: published]
        context.ignoresUnknownProperties = settings.unknownProperties == .ignored
        context.layout.hasETags = false
        context.layout.hasFeedAuthor = false
        context.layout.feedID = asked + address.rest
        self.context = context
    }

    var type: EntityType { context.model.sets[0].type }

    /// The segment of a path that leads nowhere; `nil` where all lead on.
    ///
    /// - Parameter path: below the service, percent-encoded.
    func unknownSegment(of path: Substring) throws(ODataError) -> String? {
        for (place, part) in path.split(separator: "/").enumerated() {
            let segment = try PercentCoding.decode(part)
            let name = String(segment.prefix { $0 != "(" })
            if place == 0 ? name == Self.set : segment.hasPrefix("$") || type.propertyIndex(wire: segment) != nil {
                continue
            }
            return String(name.prefix(128))
        }
        return nil
    }
}
