// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineServer
import TidelineService
import TidelineStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The conflict log of a domain in a data folder.
struct DomainConflicts {
    let service: ODataService
    private let name: String
    private let data: DataOption

    init(_ name: String, _ data: DataOption) throws {
        self.name = name
        self.data = data
        let directory = try data.existing()
        let domain = try ServerStores.domain(name, in: directory)
        do {
            service = try ODataService(
                domain: domain,
                store: ServerStores.open(domain, folder: directory.folder(domain: name)),
                // Signs links, of which nothing here makes any.
                signingKey: [UInt8](repeating: 0, count: 16),
                now: Self.now
            )
        } catch {
            throw CommandFailure.wrap(
                "The database of \(name) cannot be opened.",
                error,
                next: DatabaseSource.adviceForLoss(of: domain, in: data)
            )
        }
    }

    /// Seconds from 1970.
    static func now() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    func entries(_ query: ConflictQuery) throws -> [LoggedConflict] { try service.conflicts(query) }

    /// - Throws: ``CommandFailure`` where there is none of that number.
    func entry(_ id: Int64) throws -> LoggedConflict {
        guard let conflict = try entries(ConflictQuery(id: id)).first else {
            throw CommandFailure(
                "There is no entry \(id) in the conflict log of \(name).",
                next: "The entries: tideline conflict list \(name) --data \(ShellWord.quoted(data.path))"
            )
        }
        return conflict
    }
}
