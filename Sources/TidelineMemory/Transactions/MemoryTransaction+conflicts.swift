// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

extension MemoryTransaction {
    public func log(_ conflict: LoggedConflict) throws { try change(.add(conflict)) }

    public func close(conflict id: Int64) throws { try change(.close(id: id)) }

    public func remove(conflict id: Int64) throws { try change(.remove(id: id)) }

    public func setRestored(conflict id: Int64, at time: Int64) throws { try change(.restore(id: id, time: time)) }
}
