// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineGenerator
import TidelineService

/// A folder with generated files, and others that somebody wrote.
///
/// Nothing without the banner is ever touched. A file that says the same stays as it is, its time included, so that
/// nothing is compiled again for it.
struct GeneratedFolder {
    /// What a run did.
    struct Report {
        var written: [String] = []
        var removed: [String] = []
        var unchanged = 0
    }

    let path: String

    /// Makes the generated files of the folder these, and no others.
    ///
    /// - Throws: ``CommandFailure`` when somebody's own file has the name of a generated one; nothing is changed then.
    func replace(with files: [SwiftGenerator.File]) throws -> Report {
        let present = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        // Where letter case does not count, two names are one file.
        let names = Dictionary(present.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        let own = files.compactMap { names[$0.name.lowercased()] }.filter { !isGenerated($0) }.sorted()
        guard own.isEmpty else {
            throw CommandFailure(
                "Nothing was written: \(own.joined(separator: ", ")) in \(path) would be replaced.",
                why: "The first line does not say that it was generated.",
                next:
                    "Move what is yours to another name, such as \(own[0].dropLast(6))+Custom.swift, or name another folder."
            )
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("The folder \(path) cannot be made.")
        }
        var report = Report()
        for file in files {
            let place = "\(path)/\(file.name)"
            let bytes = Array(file.text.utf8)
            if present.contains(file.name), try AtomicFile.read(place) == bytes {
                report.unchanged += 1
                continue
            }
            try AtomicFile.write(bytes, to: place)
            report.written.append(file.name)
        }
        let wanted = Set(files.map { $0.name.lowercased() })
        for name in present.sorted()
        where name.hasSuffix(".swift") && !wanted.contains(name.lowercased()) && isGenerated(name) {
            FilePath.remove("\(path)/\(name)")
            report.removed.append(name)
        }
        return report
    }

    private func isGenerated(_ name: String) -> Bool {
        guard let bytes = try? AtomicFile.read("\(path)/\(name)") else { return false }
        return bytes.starts(with: SwiftGenerator.banner.utf8)
    }
}
