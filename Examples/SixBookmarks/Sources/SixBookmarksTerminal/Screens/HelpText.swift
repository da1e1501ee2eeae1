// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The keys, all of them.
enum HelpText {
    static let frame: Frame = {
        var frame = Frame("Keys", keys: ["any key goes back"])
        frame.add(
            """
            1 to 6        open the bookmark of that place in the browser
            ↑ ↓, Enter    choose, and open or edit
            c             configure the bookmarks
            a  e  d       add, edit, delete
            u             take the last deletion back
            m             move: then ↑ ↓, and Enter where it is to stay
            s             sync now
            w             what waits, what met, what was refused
            i             about: the page of the service
            o             sign out; your rows leave this device
            Esc           back
            q, Ctrl-C     quit; everything is kept, with a connection or without
            """
        )
        return frame
    }()
}
