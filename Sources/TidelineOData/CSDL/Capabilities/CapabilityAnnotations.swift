// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The annotations that say what a service can do with its container and sets.
///
/// What the standard has no term for stands under `Tideline.V1`; a client that does not know it passes over it.
/// Source: OData vocabularies Capabilities V1, Core V1, Aggregation V1, Repeatability V1.
struct CapabilityAnnotations {
    let capabilities: ServiceCapabilities
    let model: EntityModel

    // MARK: Container

    /// What the whole service can do.
    func container() -> [Annotation] {
        var annotations = [
            Annotation(Vocabulary.core.term("ODataVersions"), .string("4.0 4.01")),
            capability("ConformanceLevel", .constant(.enumMember, conformance)),
            capability("SupportedFormats", .collection(Self.formats.map(AnnotationExpression.string))),
            capability("AsynchronousRequestsSupported", .bool(capabilities.respondsAsynchronously)),
            capability("BatchSupport", .members(batch())),
            capability(
                "IsolationSupported",
                .constant(.enumMember, "Org.OData.Capabilities.V1.IsolationLevel/Snapshot")
            ),
            capability("CrossJoinSupported", .bool(capabilities.crossJoins)),
            capability("KeyAsSegmentSupported", .bool(capabilities.takesKeyAsSegment)),
            capability("QuerySegmentSupported", .bool(capabilities.takesQuerySegment)),
            capability("FilterFunctions", .collection(capabilities.filterFunctions.map(AnnotationExpression.string))),
            capability("DeepInsertSupport", .members(deep(capabilities.insertsDeeply))),
            capability("DeepUpdateSupport", .members(deep(capabilities.updatesDeeply))),
            capability("SelectSupport", .members(Self.select.map { ($0, .bool(true)) })),
            capability(
                "ModificationQueryOptions",
                .members([("ExpandSupported", .bool(true)), ("SelectSupported", .bool(true))])
            ),
            capability("DefaultCapabilities", .members(defaults())),
        ]
        if capabilities.repeatsRequests {
            annotations.append(Annotation(Vocabulary.repeatability.term("Supported")))
        }
        if !capabilities.transformations.isEmpty {
            let names = capabilities.transformations.map(AnnotationExpression.string)
            annotations.append(
                Annotation(
                    Vocabulary.aggregation.term("ApplySupportedDefaults"),
                    .members([
                        ("Transformations", .collection(names)),
                        (
                            "Rollup",
                            .constant(.enumMember, "Org.OData.Aggregation.V1.RollupType/MultipleHierarchies")
                        ),
                    ])
                )
            )
        }
        if let days = capabilities.deltaRetentionInDays {
            annotations.append(Annotation("Tideline.V1.DeltaRetentionInDays", .int(days)))
        }
        if let changes = capabilities.deltaRetentionInChanges {
            annotations.append(Annotation("Tideline.V1.DeltaRetentionInChanges", .int(changes)))
        }
        if let bytes = capabilities.maxBodyInBytes {
            annotations.append(Annotation("Tideline.V1.MaxBodyInBytes", .int(bytes)))
        }
        return annotations
    }

    /// What `$select` can say, its options for collections included.
    private static let select = [
        "Supported", "Filterable", "Searchable", "TopSupported", "SkipSupported", "ComputeSupported", "Countable",
        "Sortable",
    ]

    private static let formats = [
        "application/json;odata.metadata=minimal;IEEE754Compatible=false",
        "application/json;odata.metadata=minimal;IEEE754Compatible=true",
        "application/json;odata.metadata=full;IEEE754Compatible=false",
        "application/json;odata.metadata=full;IEEE754Compatible=true",
        "application/json;odata.metadata=none;IEEE754Compatible=false",
        "application/json;odata.metadata=none;IEEE754Compatible=true",
    ]

    private var conformance: String {
        "Org.OData.Capabilities.V1.ConformanceLevelType/\(capabilities.conformance.rawValue)"
    }

    /// Nested entities are not answered with the ids that their client gave them, which the vocabulary takes for granted.
    private func deep(_ isSupported: Bool) -> [(String, AnnotationExpression)] {
        [("Supported", .bool(isSupported)), ("ContentIDSupported", .bool(false))]
    }

    private func batch() -> [(String, AnnotationExpression)] {
        let formats = capabilities.takesMultipartBatch ? ["application/json", "multipart/mixed"] : ["application/json"]
        var members: [(String, AnnotationExpression)] = [
            ("Supported", .bool(true)), ("ContinueOnErrorSupported", .bool(true)),
            ("ReferencesInRequestBodiesSupported", .bool(true)), ("EtagReferencesSupported", .bool(true)),
            ("SupportedFormats", .collection(formats.map(AnnotationExpression.string))),
        ]
        if let limit = capabilities.maxBatchRequests { members.append(("MaximumSize", .int(limit))) }
        return members
    }

    /// What holds for each set that says nothing else.
    private func defaults() -> [(String, AnnotationExpression)] {
        [
            ("ChangeTracking", .members([("Supported", .bool(capabilities.tracksChanges))])),
            ("CountRestrictions", .members([("Countable", .bool(true))])),
            ("IndexableByKey", .bool(true)), ("TopSupported", .bool(true)), ("SkipSupported", .bool(true)),
            ("ComputeSupported", .bool(capabilities.computes)),
        ]
    }

    // MARK: Sets

    /// What can be done with a set; what is as everywhere is not said again.
    func set(_ set: EntitySet) -> [Annotation] {
        let type = set.type
        var annotations = [
            capability("TopSupported", .bool(true)), capability("SkipSupported", .bool(true)),
            capability("CountRestrictions", .members([("Countable", .bool(true))])),
            capability("ChangeTracking", .members(changeTracking(set))),
            capability("ComputeSupported", .bool(capabilities.computes)),
            capability("ReadRestrictions", .members([("Readable", .bool(true))])),
        ]
        let unfilterable = type.wirePaths { $0.stream != nil || $0.structure == .dynamic }
        annotations.append(
            capability(
                "FilterRestrictions",
                .members([("Filterable", .bool(true))] + paths("NonFilterableProperties", unfilterable))
            )
        )
        let unsortable = type.wirePaths {
            $0.stream != nil || $0.structure != nil || $0.type.isSpatial || $0.type == .binary
        }
        annotations.append(
            capability(
                "SortRestrictions",
                .members([("Sortable", .bool(true))] + paths("NonSortableProperties", unsortable))
            )
        )
        var expand: [(String, AnnotationExpression)] = [
            ("Expandable", .bool(!type.navigationProperties.isEmpty)), ("StreamsExpandable", .bool(false)),
        ]
        if let levels = capabilities.maxExpandLevels { expand.append(("MaxLevels", .int(levels))) }
        annotations.append(capability("ExpandRestrictions", .members(expand)))
        let isSearchable = capabilities.searches && !type.searchProperties.isEmpty
        annotations.append(capability("SearchRestrictions", .members([("Searchable", .bool(isSearchable))])))
        if !capabilities.transformations.isEmpty {
            for item in set.aggregates {
                guard let name = item.alias, let type = item.type(over: set, in: model) else { continue }
                let term = Vocabulary.aggregation.term("CustomAggregate")
                annotations.append(Annotation(term, .string(type.rawValue), qualifier: name))
            }
        }
        annotations += changes(set)
        return annotations
    }

    /// By which properties a tracked query may filter, and what it may expand: a view's changes are not recorded.
    private func changeTracking(_ set: EntitySet) -> [(String, AnnotationExpression)] {
        guard capabilities.tracksChanges, !set.isReadOnly else { return [("Supported", .bool(false))] }
        let filterable = set.type.wirePaths { $0.stream == nil && $0.structure != .dynamic }
        let expandable = set.type.navigationProperties.filter { navigation in
            navigation.declaringType == nil && model[set: navigation.targetSet]?.isReadOnly == false
                && (navigation.link.map { model[set: $0.set]?.isReadOnly == false } ?? true)
        }
        return [("Supported", .bool(true))] + paths("FilterableProperties", filterable)
            + (expandable.isEmpty
                ? []
                : [
                    (
                        "ExpandableProperties",
                        .collection(expandable.map { .path(.navigationProperty, $0.names.wire) })
                    )
                ])
    }

    private func changes(_ set: EntitySet) -> [Annotation] {
        let type = set.type
        let can = AnnotationExpression.bool(!set.isReadOnly)
        guard !set.isReadOnly else {
            return [
                capability("InsertRestrictions", .members([("Insertable", can)])),
                capability("UpdateRestrictions", .members([("Updatable", can)])),
                capability("DeleteRestrictions", .members([("Deletable", can)])),
            ]
        }
        let uninsertable = type.wirePaths { !$0.isWritable }
        let unupdatable = type.wirePaths { !$0.isWritable || $0.isImmutable }
        let canUpsert = capabilities.upserts && !type.hasGeneratedKey && type.mediaProperty == nil
        return [
            capability(
                "InsertRestrictions",
                .members([("Insertable", can)] + paths("NonInsertableProperties", uninsertable))
            ),
            capability(
                "UpdateRestrictions",
                .members(
                    [
                        ("Updatable", can), ("Upsertable", .bool(canUpsert)),
                        ("DeltaUpdateSupported", .bool(capabilities.takesDeltaPayloads)),
                        ("FilterSegmentSupported", .bool(capabilities.changesFilteredSets)),
                    ] + paths("NonUpdatableProperties", unupdatable)
                )
            ),
            capability(
                "DeleteRestrictions",
                .members([("Deletable", can), ("FilterSegmentSupported", .bool(capabilities.changesFilteredSets))])
            ),
            Annotation(
                Vocabulary.core.term("OptimisticConcurrency"),
                .collection(type.version.map { [.path(.property, type.wirePath(of: $0))] } ?? [])
            ),
        ]
    }

    /// What can be done with a singleton.
    func singleton(_ set: EntitySet) -> [Annotation] {
        guard set.isReadOnly else { return [] }
        return [capability("UpdateRestrictions", .members([("Updatable", .bool(false))]))]
    }

    private func capability(_ term: String, _ value: AnnotationExpression) -> Annotation {
        Annotation(Vocabulary.capabilities.term(term), value)
    }

    private func paths(_ name: String, _ paths: [String]) -> [(String, AnnotationExpression)] {
        paths.isEmpty ? [] : [(name, .collection(paths.map { .path(.property, $0) }))]
    }
}

extension EntityType {
    /// The wire paths of the properties with something in common; what never crosses the wire is left out.
    func wirePaths(where condition: (Property) -> Bool) -> [String] {
        properties.indices.filter { place in
            let property = properties[place]
            return condition(property) && !property.isLocalOnly && property.structure != .dynamic
                && place != mediaProperty
        }
        .map { wirePath(of: $0) }
    }
}
