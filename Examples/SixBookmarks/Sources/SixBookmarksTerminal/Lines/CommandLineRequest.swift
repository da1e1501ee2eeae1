// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a command line asks for.
public struct CommandLineRequest: Hashable, Sendable {
    /// The commands, in the order of the help.
    static let names = [
        "sign-in", "register", "sign-out", "list", "open", "add", "edit", "delete", "move", "sync", "status",
        "conflicts",
        "restore",
        "about",
    ]

    /// The folder of the app's files, where it was said.
    public var home: String?
    /// The address of the service, where it was said.
    public var service: String?
    /// Whether the answer is JSON.
    public var isJSON = false
    /// Whether changes may be lost.
    public var isDiscarding = false
    /// What an edit gives.
    var name: String?
    var url: String?
    public var wantsHelp = false
    /// The command and what follows it.
    public var words: [String] = []

    /// Reads the words after the program's name.
    ///
    /// - Throws: ``CommandError`` for an option that there is not, or that lacks its value.
    public init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var isOver = false
        while let word = rest.popFirst() {
            guard !isOver, word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            func value() throws -> String {
                guard let value = rest.popFirst() else {
                    throw CommandError("\(word) needs a value. sixbookmarks --help shows all options.", status: 2)
                }
                return value
            }
            switch word {
            case "--": isOver = true
            case "--home": home = try value()
            case "--service": service = try value()
            case "--name": name = try value()
            case "--url": url = try value()
            case "--json": isJSON = true
            case "--discard": isDiscarding = true
            case "--help", "-h": wantsHelp = true
            default:
                throw CommandError("There is no option \(word). sixbookmarks --help shows all options.", status: 2)
            }
        }
    }

    /// What `--help` prints.
    public static let help = """
        Six bookmarks, at hand with or without a connection.

        sixbookmarks                        the app on the whole terminal; ? shows its keys
        sixbookmarks COMMAND                one thing, for scripts and pipes:

          sign-in [SERVICE] USER            sign in and bring the bookmarks here; the password comes on standard input
          register [SERVICE] USER           the same for who is new at the service: the name is made there
          list                              the six places
          open PLACE                        open the bookmark of a place, 1 to 6, in the browser
          add NAME URL [PLACE]              add one, at the lowest free place or at this one
          edit PLACE [--name N] [--url U]   change one
          delete PLACE                      delete one
          move PLACE PLACE                  move one; what is there comes to its place
          sync                              send what changed here, receive what changed elsewhere
          status                            who is signed in, what waits, when the last sync was
          conflicts                         what two devices changed both
          restore NUMBER                    bring back what lost in a conflict
          about                             open the page of the service
          sign-out [--discard]              revoke the sign-in and take the bookmarks off this device

        Options:
          --json                            answer in JSON (list, status, sync, conflicts)
          --service URL                     the service, else SIXBOOKMARKS_SERVICE or that of the demo on this machine
          --home FOLDER                     where the app's files lie, else SIXBOOKMARKS_HOME or
                                            ~/.local/share/sixbookmarks
          --discard                         let changes go that were not sent

        Begin with the demo: `tideline serve --demo`, then

          echo tide-and-time-1 | sixbookmarks sign-in ada
          sixbookmarks add Swift swift.org
          sixbookmarks sync

        Everything but sign-in, register, sync and the revoking of sign-out works with no connection. What waits is sent by `sync`,
        and by the app on the whole terminal by itself. NO_COLOR is honoured. Exit status: 0 done, 1 failed, 2 not
        understood.

        sixbookmarks FILE COMMAND works on one file of your own, with nothing kept beside it but the sign-in:
        start SERVICE USER, list, add, edit PLACE NAME URL, move, delete, sync.
        """
}
