// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Testing

@testable import TidelineStore

/// What the system says when files cannot be written, in the words of the store.
struct FileSystemTests {
    @Test(arguments: [
        (ENOSPC, LocalStoreError.Code.full), (EDQUOT, .full), (EFBIG, .full), (EACCES, .io), (EIO, .io), (EROFS, .io),
    ])
    func `a disk without room is told as full, and every other failure as one of the file`(
        reason: Int32,
        code: LocalStoreError.Code
    ) {
        let error = FileSystem.failed("'x' cannot be written", reason: reason)
        #expect(error.code == code)
        #expect(error.message.hasPrefix("'x' cannot be written: "))
    }
}
