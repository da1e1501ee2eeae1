// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `tideline briefcase`.
struct BriefcaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "briefcase",
        abstract: "Take the content of a store along: rows, what waits, and what is known of the server.",
        discussion: """
            tideline sync app.tideline
            tideline briefcase export app.tideline out.briefcase
            tideline briefcase show out.briefcase
            tideline briefcase import out.briefcase other.tideline

            A briefcase is one file, or a folder of text with a JSON object a line. Both
            say of which version of the app's data they are; another is not imported.
            """,
        subcommands: [BriefcaseExportCommand.self, BriefcaseImportCommand.self, BriefcaseShowCommand.self]
    )
}
