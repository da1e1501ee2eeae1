// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The link table of a many-to-many navigation property as an annotation of ours, so that a device that clones can
/// follow it: CSDL says where such a property leads, and not by which rows.
///
///     <Annotation Term="Tideline.V1.LinkTable">
///       <Record>
///         <PropertyValue Property="EntitySet" String="PostTags"/>
///         <PropertyValue Property="ToOwner" String="Post"/>
///         <PropertyValue Property="ToTarget" String="Tag"/>
///       </Record>
///     </Annotation>
enum LinkAnnotation {
    private static let term = "Tideline.V1.LinkTable"

    static func annotations(of link: LinkTable?) -> [Annotation] {
        guard let link else { return [] }
        let members = [("EntitySet", link.set), ("ToOwner", link.toOwner), ("ToTarget", link.toTarget)]
        return [Annotation(term, .members(members.map { ($0.0, .string($0.1)) }))]
    }

    /// The link table that the annotations of a navigation property name, whether the document has it or not.
    static func link(in annotations: [Annotation]) -> LinkTable? {
        let record = annotations.last { $0.term == term && $0.qualifier == nil }?.value
        guard let set = record?["EntitySet"]?.text, let toOwner = record?["ToOwner"]?.text,
            let toTarget = record?["ToTarget"]?.text
        else { return nil }
        return LinkTable(set: set, toOwner: toOwner, toTarget: toTarget)
    }
}
