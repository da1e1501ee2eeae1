// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineOData

/// Reads answers, with the errors of the format as errors of the client.
enum Answers {
    static func read<Result>(_ body: () throws(ODataError) -> Result) throws(ClientError) -> Result {
        do { return try body() } catch { throw ODataClient.unreadable(error) }
    }
}
