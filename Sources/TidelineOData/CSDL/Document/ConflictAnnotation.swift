// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The conflict policy of a property or an entity type as an annotation of ours, so that a device that clones has it.
///
///     <Annotation Term="Tideline.V1.Conflict" String="words else ask"/>
enum ConflictAnnotation {
    private static let term = "Tideline.V1.Conflict"

    static func annotations(of policy: ConflictPolicy?) -> [Annotation] {
        policy.map { [Annotation(term, .string($0.text))] } ?? []
    }

    /// What the annotations of a property or a type say; a policy that this version does not know is none.
    static func policy(in annotations: [Annotation]) -> ConflictPolicy? {
        annotations.last { $0.term == term && $0.qualifier == nil }?.value?.text.flatMap(ConflictPolicy.init(text:))
    }
}
