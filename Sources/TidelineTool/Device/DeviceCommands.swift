// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension Tideline {
    /// The commands that work on a device's store file, in the order of their use.
    static var allDeviceCommands: [any ParsableCommand.Type] {
        [
            CloneCommand.self, AttachCommand.self, MoveCommand.self, SignInCommand.self, SignOutCommand.self,
            QueryCommand.self,
            InsertCommand.self, UpdateCommand.self, DeleteCommand.self, SyncCommand.self, StatusCommand.self,
            LogCommand.self, VerifyCommand.self, ConflictsCommand.self, QuarantineCommand.self, BriefcaseCommand.self,
        ]
    }
}
