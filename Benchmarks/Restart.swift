// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// T14: a server that was killed while clients asked for pages, from its new start to its first page.
enum Restart {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: rows)
        let data = try ServerProcess.publish(path, folder: folder)
        var times: [Double] = []
        for _ in 0..<5 {
            let before = try ServerProcess(data: data)
            let page = before.address + "odata/bench/Items?$top=100"
            let load = Task { try await Wrk.requests(page, seconds: 3) }
            try await Task.sleep(for: .seconds(1))
            let port = before.port
            before.kill()
            times.append(
                try Measuring.seconds {
                    let after = try ServerProcess(data: data, port: port)
                    guard let url = URL(string: after.address + "odata/bench/Items?$top=1") else { return }
                    _ = try Data(contentsOf: url)
                }
            )
            _ = try? await load.value
        }
        return [
            Figure(
                what: "start after kill -9 to the first answer, the longest of five",
                rows: rows,
                seconds: (times.max() ?? .infinity) * 1000,
                limitName: "limit",
                limitSeconds: 300,
                unit: "ms",
                isRate: false,
                bound: 1
            )
        ]
    }
}
