// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel
import TidelineOData
import TidelineStorage

/// Streams that are kept in files.
extension ODataService {
    /// The file for the body of a request that changes a stream which is kept in one, or `nil` for any other request.
    ///
    /// The server asks before it reads the body, and then writes it there piece by piece. What is wrong with the request
    /// is answered by ``respond(to:body:upload:user:userName:)``.
    ///
    /// - Throws: ``SpoolError`` when the file cannot be made.
    public func upload(for request: HTTPRequest, user: UserContext, userName: String? = nil) throws -> MediaUpload? {
        guard let files = core.files, request.method == .put || request.method == .post || request.method == .patch,
            domain.model.sets.contains(where: { $0.type.properties.contains { $0.stream?.isFile == true } }),
            (try? isUpload(request, user, userName ?? user.name)) == true
        else { return nil }
        return try files.begin(limit: domain.limits.fileBytes)
    }

    private func isUpload(_ request: HTTPRequest, _ user: UserContext, _ userName: String?) throws -> Bool {
        guard let call = try call(of: request, user: user, userName: userName) else { return false }
        return try store.read { reader in
            let resolver = Resolver(planner: core.planner, reader: reader, call: call)
            switch try resolver.resolve(call.target.path) {
            case .property(let entity, let place), .value(let entity, let place):
                return request.method == .put && entity.set.type.properties[place].stream?.isFile == true
            case .collection(let collection):
                let type = collection.set.type
                guard request.method == .post, let place = type.mediaProperty else { return false }
                return type.properties[place].stream?.isFile == true
            default: return false
            }
        }
    }

    /// Removes the files of streams that no row names: what deletions, replacements and crashes left.
    ///
    /// Blocks writers while it runs.
    ///
    /// - Parameter age: in seconds; younger files stay, since their rows may be on their way.
    /// - Returns: how many were removed.
    @discardableResult
    public func sweepFiles(olderThan age: Int = 3_600) throws -> Int {
        let model = domain.model
        guard let files = core.files,
            model.sets.contains(where: { $0.type.properties.contains { $0.stream?.isFile == true } })
        else { return 0 }
        return try store.write { writer in
            var names: Set<String> = []
            for set in model.sets {
                let places = set.type.properties.indices.filter { set.type.properties[$0].stream?.isFile == true }
                guard !places.isEmpty else { continue }
                var plan = ReadPlan(model: model, set: set, columns: places, includesETag: false)
                while true {
                    let sink = KeySink(set.type, columns: places)
                    plan.pageLimit = .init(rows: 10_000, bytes: .max)
                    let end = try writer.read(plan, into: sink)
                    for case .string(let name) in sink.rows.joined() { names.insert(name) }
                    guard let next = end.continuation else { break }
                    plan.after = next
                }
            }
            return files.sweep(keeping: names, olderThan: age)
        }
    }
}
