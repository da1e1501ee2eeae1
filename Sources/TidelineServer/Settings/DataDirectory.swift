// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder in which a server keeps what it needs.
///
///     DIR/domains/NAME/domain.yaml   DIR/control.sqlite   DIR/keys/signing.key   DIR/demo/NAME.sqlite   DIR/spool
public struct DataDirectory: Hashable, Sendable {
    /// The path of the folder, without a slash at its end.
    public let path: String

    /// The directory at a path; nothing is made yet.
    public init(path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// The folder of all domains.
    public var domains: String { path + "/domains" }
    /// The database of users and tokens.
    public var control: String { path + "/control.sqlite" }
    /// The secret that signs tokens of change.
    public var signingKey: String { path + "/keys/signing.key" }
    /// The folder of the databases of the demo.
    public var demo: String { path + "/demo" }

    /// Where large answers wait to be sent, in files without names.
    public var spool: String { path + "/spool" }

    /// The folder of one domain.
    public func folder(domain: String) -> String { domains + "/" + domain }
    /// The file of one domain.
    public func file(domain: String) -> String { folder(domain: domain) + "/domain.yaml" }

    /// Makes the folders that are missing; the one of the keys is for the owner alone.
    ///
    /// - Throws: ``ServerError`` with `data`.
    public func create() throws(ServerError) {
        try Self.makeFolder(path)
        try Self.makeFolder(domains)
        try Self.makeFolder(path + "/keys", mode: 0o700)
        try Self.makeFolder(spool, mode: 0o700)
    }

    /// Takes away again what ``create()`` made, as far as nothing is in it.
    public func removeEmpty() {
        for folder in [spool, path + "/keys", domains, path] { unsafe _ = rmdir(folder) }
    }

    /// Makes a folder and those above it.
    ///
    /// - Throws: ``ServerError`` with `data`.
    public static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(ServerError) {
        if unsafe mkdir(path, mode_t(mode)) == 0 { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if unsafe mkdir(path, mode_t(mode)) == 0 { return }
        }
        if errno == EEXIST {
            if let stamp = FileStamp(path: path), stamp.isFolder { return }
            throw ServerError(.data, "\(path) is no folder.")
        }
        let reason = unsafe String(cString: strerror(errno))
        throw ServerError(.data, "The folder \(path) cannot be made: \(reason).")
    }

    /// The names of the domains that have a file, ordered.
    public func publishedDomains() -> [String] {
        domainNames().filter { FileStamp(path: file(domain: $0)) != nil }
    }

    /// The names of the folders under `domains`, ordered; whether each is a domain is for the reader to see.
    func domainNames() -> [String] {
        guard let folder = unsafe opendir(domains) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
