// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineService
import TidelineTestSupport

struct AtomicFileTests {
    @Test
    func `a file is written whole and read back`() throws {
        let path = "\(ProcessFolder.path)/atomic-\(UInt64.random(in: 0 ... .max))"
        try AtomicFile.write([1, 2, 3], to: path)
        try AtomicFile.write([4, 5], to: path, permissions: 0o600)
        #expect(try AtomicFile.read(path) == [4, 5])
    }

    @Test
    func `a folder that is not there is told by name`() {
        let error = #expect(throws: DomainError.self) { try AtomicFile.write([1], to: "/nowhere/at/all") }
        #expect(error?.code == .unreadable)
        #expect(error?.message == "Cannot create the file: No such file or directory.")
        let missing = #expect(throws: DomainError.self) { try Domain(contentsOf: "/nowhere/domain.yaml") }
        #expect(missing?.description == "/nowhere/domain.yaml: Cannot open the file: No such file or directory.")
    }
}
