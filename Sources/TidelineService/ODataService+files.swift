// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel
import TidelineOData
import TidelineStorage

/// Streams that are kept in files.
extension ODataService {
    /// Whether the body of a request goes into a file, and where to: asked before any of it is read.
    ///
    /// A request that changes such a stream is looked at as far as that is possible without its body: whether the entity
    /// is there, what the policies say, which version it names. What is refused then costs no upload.
    ///
    /// - Throws: ``SpoolError`` when the file cannot be made.
    public func upload(
        for request: HTTPRequest,
        user: UserContext,
        userName: String? = nil
    ) throws -> UploadAdmission {
        guard let files = core.files, request.method == .put || request.method == .post || request.method == .patch,
            domain.model.sets.contains(where: { $0.type.properties.contains { $0.stream?.isFile == true } }),
            let call = try? call(of: request, user: user, userName: userName ?? user.name)
        else { return .none }
        let core = core(for: user)
        guard Methods.allowed(call.target.path, in: core.domain.model).contains(request.method) else { return .none }
        do {
            guard domain.isOpen || !user.id.isNull else {
                throw ODataError(service: ServiceCode.signInRequired, "Sign in to use this service.")
            }
            guard try isUpload(call, core) else { return .none }
        } catch {
            return .refused(response(Self.answer(answerable(error), call, core.domain.model), request))
        }
        return .accepted(try files.begin(limit: domain.limits.fileBytes))
    }

    /// Whether a request changes a stream that is kept in a file.
    ///
    /// - Throws: what the request is refused with, whatever its body is.
    private func isUpload(_ call: Call, _ core: Core) throws -> Bool {
        // What was done once is answered as it was then, whatever has become of the entity.
        let isRepeatable = call.fields[.repeatabilityRequestID] != nil
        return try store.read { reader in
            let gate = RowGate(core: core, reader: reader, call: call)
            let resource: Resource
            do {
                resource = try gate.resolver.resolve()
            } catch is ODataError where isRepeatable {
                return false
            }
            switch resource {
            case .property(let entity, let place), .value(let entity, let place):
                guard call.method == .put, entity.set.type.properties[place].stream?.isFile == true else {
                    return false
                }
                guard !isRepeatable else {
                    try gate.mayWrite(.update, entity.set)
                    return true
                }
                guard try gate.admit(.update, entity, try gate.headerConditions()) != nil else {
                    throw ODataError.absentEntity(entity.set.names.wire)
                }
                return true
            case .collection(let collection):
                guard call.method == .post, !collection.isEach, let place = collection.set.type.mediaProperty,
                    collection.set.type.properties[place].stream?.isFile == true
                else { return false }
                try gate.mayWrite(.insert, collection.set)
                return true
            default: return false
            }
        }
    }

    /// Removes the files of streams that no row names: what deletions, replacements and crashes left.
    ///
    /// Writers go on meanwhile: a name that comes into a row after the names were read is that of a young file, and a file
    /// that is put aside too early comes back when a row names it.
    ///
    /// - Parameter age: in seconds; younger files stay, since their rows may be on their way.
    /// - Returns: how many were removed.
    @discardableResult
    public func sweepFiles(olderThan age: Int = 3_600) throws -> Int {
        let model = domain.model
        guard let files = core.files,
            model.sets.contains(where: { $0.type.properties.contains { $0.stream?.isFile == true } })
        else { return 0 }
        let names = try store.read { reader in
            var names: Set<String> = []
            for set in model.sets {
                let places = set.type.properties.indices.filter { set.type.properties[$0].stream?.isFile == true }
                guard !places.isEmpty else { continue }
                var plan = ReadPlan(model: model, set: set, columns: places, includesETag: false)
                while true {
                    let sink = KeySink(set.type, columns: places)
                    plan.pageLimit = .init(rows: 10_000, bytes: .max)
                    let end = try reader.read(plan, into: sink)
                    // What a column holds that is no name may have been one: nothing is swept then.
                    if let place = sink.exceptions.min() {
                        throw ItemChoice.unreadable("\(set.names.wire).\(set.type.path(of: places[place]))")
                    }
                    for case .string(let name) in sink.rows.joined() { names.insert(name) }
                    guard let next = end.continuation else { break }
                    plan.after = next
                }
            }
            return names
        }
        return files.sweep(keeping: names, olderThan: age)
    }
}
