// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// When a campaign begins nothing more: after a time, or when Ctrl-C or SIGTERM ask it to end.
///
/// What runs is never cut off.
final class CampaignEnd: Sendable {
    private let time: Date?
    private let request = Atomic(false)

    private init(minutes: Int?) { time = minutes.map { Date(timeIntervalSinceNow: Double($0) * 60) } }

    /// Runs a campaign, which looks at its end before whatever it begins.
    static func running(
        minutes: Int?,
        _ campaign: @escaping @Sendable (CampaignEnd) async throws -> Void
    ) async throws {
        let end = CampaignEnd(minutes: minutes)
        try await Interruption.cancelling {
            // In a task of its own, for what is simulated must not meet the cancellation.
            let task = Task { try await campaign(end) }
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                end.request.store(true, ordering: .releasing)
            }
        }
    }

    var isRequested: Bool { request.load(ordering: .acquiring) }

    var isReached: Bool { isRequested || time.map { Date() >= $0 } ?? false }
}
