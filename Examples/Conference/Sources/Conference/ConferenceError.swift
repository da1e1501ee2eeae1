// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why the conference cannot be changed so; the description is for the person at the screen.
public enum ConferenceError: Error, Hashable, CustomStringConvertible {
    case noSuchTrack(String)
    case noSuchSession(String)
    case noSuchSlot(String)
    case ambiguous(String)
    case notATime(String)
    case unknownCommand(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .noSuchTrack(let name): "There is no track \"\(name)\". `tracks` lists all."
        case .noSuchSession(let name): "There is no session \"\(name)\". `sessions TRACK` lists those of a track."
        case .noSuchSlot(let name): "There is no time slot \"\(name)\". `slots` lists all."
        case .ambiguous(let name): "There is more than one \"\(name)\". Rename one of them first."
        case .notATime(let text): "\"\(text)\" is no time. Write it like 2026-11-30T09:00:00Z."
        case .unknownCommand(let name): "There is no command \"\(name)\" with these arguments. `help` lists all."
        }
    }
}
