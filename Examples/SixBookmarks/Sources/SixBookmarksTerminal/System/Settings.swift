// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the app's files lie and whom it asks, where the command line does not say.
public enum Settings {
    /// The folder of the app's files: `SIXBOOKMARKS_HOME`, or `sixbookmarks` where programs of this user keep their data.
    public static var home: String {
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["SIXBOOKMARKS_HOME"], !home.isEmpty { return home }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/sixbookmarks" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/sixbookmarks"
    }

    /// The address of the service: `SIXBOOKMARKS_SERVICE`, or that of the demo on this machine.
    public static var service: String {
        let environment = ProcessInfo.processInfo.environment
        if let service = environment["SIXBOOKMARKS_SERVICE"], !service.isEmpty { return service }
        return "http://127.0.0.1:8080/odata/sixbookmarks/"
    }
}
