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

    func answer() throws -> Answer {
        let resolver = Resolver(planner: core.planner, reader: reader, call: call)
        switch try resolver.resolve() {
        case .service: return serviceDocument()
        case .metadata: return metadata()
        case .batch: throw Self.notAllowed("$batch takes POST.")
        case .collection(let collection): return try self.collection(collection)
        case .entity(let entity): return try self.entity(entity, resolver)
        case .nothing: return Answer(.noContent, fields: fields())
        case .property(let entity, let place): return try property(entity, place, resolver)
        case .value(let entity, let place): return try value(entity, place, resolver)
        case .count(let collection): return try count(collection)
        case .reference: throw ODataError(.notSupported, "References ($ref) cannot be read yet.")
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
}
