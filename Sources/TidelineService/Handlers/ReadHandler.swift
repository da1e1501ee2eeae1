// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Answers GET and HEAD: finds what the path leads to and hands over.
struct ReadHandler {
    let core: Core
    let reader: any StoreReader
    let call: Call

    var resolver: Resolver { Resolver(planner: core.planner, reader: reader, call: call) }

    /// The pages that the request asks for.
    var paging: Planner.Paging { Planner.Paging(size: call.preferences.maxPageSize, isOn: call.isPaged) }

    func answer() throws -> Answer {
        try call.requireNoStray()
        do {
            return try answer(try resolver.resolve())
        } catch let error as ODataError where error.code == ODataError.Code.notFound.rawValue && continuesDelta {
            // The entity whose collection was tracked is gone, and all that the client holds of it.
            throw DeltaHandler.scopeChanged
        }
    }

    /// Whether the request follows a delta link of this service.
    private var continuesDelta: Bool {
        guard let text = call.options.deltaToken, text != "latest" else { return false }
        return (try? core.token(text, option: "$deltatoken")) != nil
    }

    func answer(_ resource: Resource) throws -> Answer {
        switch resource {
        case .service: return serviceDocument()
        case .metadata: return try metadata()
        case .batch: throw Self.notAllowed("$batch takes POST.")
        case .all: return try all()
        case .crossjoin(let sets): return try crossjoin(sets)
        case .collection(let collection):
            if call.method == .get || call.method == .head { try Self.checkUnversioned(call.fields) }
            return try self.collection(collection)
        case .entity(let entity): return try self.entity(entity)
        case .nothing: return Answer(.noContent, fields: fields())
        case .property(let entity, let place): return try property(entity, place)
        case .dynamic(let entity, let name): return try dynamic(entity, name)
        case .dynamicText(let entity, let name): return try dynamicText(entity, name)
        case .complex(let entity, let place): return try complex(entity, place)
        case .value(let entity, let place): return try value(entity, place)
        case .count(let collection): return try count(collection)
        case .itemCount(let entity, let place): return try itemCount(entity, place)
        case .reference(let entity, let navigation, let target): return try reference(entity, navigation, target)
        case .references(let collection): return try references(collection)
        case .entityReference(let entity): return try reference(entity)
        case .call(let invocation): return try answer(try OperationCaller(resolver).outcome(of: invocation))
        case .computed(let value): return try computed(value)
        case .computedText(let value): return try computedText(value)
        case .computedCount(let count): return number(count)
        }
    }

    static func notAllowed(_ message: String) -> ODataError {
        ODataError(service: ServiceCode.methodNotAllowed, message)
    }

    /// The header fields that every answer has.
    func fields(contentType: String? = nil) -> HTTPFields {
        var fields = HTTPFields()
        fields[.odataVersion] = call.version.rawValue
        if let contentType {
            fields[.contentType] = contentType
            fields[.vary] = "Accept, Prefer, OData-MaxVersion"
        }
        return fields
    }

    /// The header fields of data in JSON, with the preferences that were followed.
    func dataFields(isTracked: Bool = false, isPaged: Bool = false) -> HTTPFields {
        var fields = fields(contentType: call.format.contentType)
        var applied = call.applied
        applied.tracksChanges = isTracked
        if isPaged, let size = call.preferences.maxPageSize, size <= core.planner.limits.pageRows {
            applied.maxPageSize = size
        }
        if let value = applied.headerValue { fields[.preferenceApplied] = value }
        return fields
    }

    /// Refuses a request that is for certain versions alone, of what has no version: a collection, a call of no entity.
    ///
    /// Source: OData Protocol 4.01, section 8.2.4; RFC 9110, section 13.1.1.
    static func checkUnversioned(_ fields: HTTPFields) throws(ODataError) {
        guard let condition = try ETagCondition.read(.ifMatch, fields), condition != .any else { return }
        throw ODataError(
            service: ServiceCode.preconditionFailed,
            "What is asked for has no version, so that it is none of those in If-Match.",
            target: "If-Match"
        )
    }

    /// The answer, or 304 when the client has that version; 412 when it asks for another.
    ///
    /// The version is that of the entity alone: an answer that holds values of others (`$expand`, `$compute`) may have
    /// changed without it, and is always sent. Source: OData Protocol 4.01, sections 8.2.4 and 8.2.5.
    func conditional(_ etag: ETag?, _ answer: Answer) throws -> Answer {
        // In this order: RFC 9110, section 13.2.2.
        if let condition = try ETagCondition.read(.ifMatch, call.fields), !condition.matches(etag) {
            throw ODataError(
                service: ServiceCode.preconditionFailed,
                "The entity is of another version.",
                target: "If-Match"
            )
        }
        let isItsOwn = call.options.expand.isEmpty && call.options.compute.isEmpty
        if let condition = try ETagCondition.read(.ifNoneMatch, call.fields), isItsOwn, condition.matches(etag) {
            var fields = fields()
            fields[.eTag] = etag?.text
            fields[.vary] = answer.fields[.vary]
            return Answer(.notModified, fields: fields, entity: answer.entity)
        }
        return answer
    }
}
