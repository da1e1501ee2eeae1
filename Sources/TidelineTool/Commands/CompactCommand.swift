// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer
import TidelineService
import TidelineStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `tideline compact`.
struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Remove changes from a domain's log that need not be kept any longer.",
        discussion: """
            By the domain's setting (changeLog in domain.yaml: 90 days and ten million
            changes, unless it says other):
              tideline compact shop --data ./data

            By another measure, once:
              tideline compact shop --data ./data --keep-changes 10000

            A server does this by itself, once an hour, in small steps, and both may run
            at the same time. The data stays as it is. A device that has not synchronised
            since what was removed loads its data anew and keeps what it has not sent.
            How old a change is, is known from the hours at which the server, or this
            command, looked at the log; the newest change always stays.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @OptionGroup var data: DataOption
    @Option(
        name: .customLong("keep-days"),
        help: ArgumentHelp("Keep changes of so many days, in the place of the setting.", valueName: "days")
    )
    var days: Int64?
    @Option(
        name: .customLong("keep-changes"),
        help: ArgumentHelp("Keep so many changes, in the place of the setting.", valueName: "number")
    )
    var changes: Int64?
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        guard (0...36_500).contains(days ?? 0) else { throw ValidationError("--keep-days is from 0 to 36500.") }
        guard (changes ?? 1) >= 1 else {
            throw ValidationError("--keep-changes is 1 or more: the newest always stays.")
        }
    }

    func run() async throws {
        let directory = try data.existing()
        let published = try ServerStores.domain(domain, in: directory)
        var retention = published.retention
        if days != nil || changes != nil {
            retention = LogRetention(seconds: days.map { $0 * 86_400 }, entries: changes)
        }
        var removed = 0
        do {
            let store = try ServerStores.open(published, folder: directory.folder(domain: domain))
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
            var isFinished = false
            while !isFinished {
                let step = try store.compact(retention, now: Int64(time.tv_sec), limit: 5_000)
                removed += step.removed
                isFinished = step.isFinished
            }
        } catch {
            throw CommandFailure.wrap(
                "The change log of \(domain) was not compacted.",
                error,
                next: DatabaseSource.adviceForLoss(of: published, in: data)
            )
        }
        let kept = [
            retention.seconds.map { PlainText.count(Int($0 / 86_400), "day") },
            retention.entries.map { PlainText.count(Int($0), "change") + " at most" },
        ].compactMap { $0 }
        Output(json: json).result(
            [("domain", .text(domain)), ("removed", .integer(removed))],
            text: "Removed from the log of \(domain): \(PlainText.count(removed, "change")); kept: "
                + (kept.isEmpty ? "all." : kept.joined(separator: ", ") + ".")
        )
    }
}
