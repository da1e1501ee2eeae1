// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The version of an app's data, as export and import name it.
struct DataVersionOption: ParsableArguments {
    @Option(
        name: .customLong("data-version"),
        help: ArgumentHelp("The version of the app's data; an import names that of the export.", valueName: "version")
    )
    var text = "1"
}
