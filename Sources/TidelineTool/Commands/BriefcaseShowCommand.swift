// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStore

/// `tideline briefcase show`.
struct BriefcaseShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Say what a briefcase holds, and change nothing.",
        discussion: "tideline briefcase show out.briefcase"
    )

    @Argument(help: "The briefcase: a file or a folder.") var briefcase: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let what = "\(briefcase) cannot be shown."
        try await DeviceFailure.during(what) {
            guard let summary = try Briefcase.summary(at: briefcase) else {
                throw BriefcaseText.missing(briefcase, what)
            }
            BriefcaseText(summary).write(to: Output(json: json))
        }
    }
}
