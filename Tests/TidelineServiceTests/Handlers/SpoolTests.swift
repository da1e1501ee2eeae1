// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineOData

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@testable import TidelineService

struct SpoolTests {
    @Test(arguments: [0, 5, 100, 1_000_000])
    func `what goes in comes out, in memory or in a file`(count: Int) throws {
        let spool = SpoolWriter(folder: "/tmp", memoryLimit: 64)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for start in stride(from: 0, to: count, by: 37) {
            spool.output.append(Array(bytes[start..<min(start + 37, count)]))
            spool.drain()
        }
        let body = try spool.finish()
        #expect(body.count == count)
        #expect(try body.all() == bytes)
        if case .spool(let file) = body {
            #expect(count >= 64)
            #expect(try file.bytes(at: 10, count: 5) == Array(bytes[10..<15]))
            #expect(try file.bytes(at: count - 2, count: 10) == Array(bytes[(count - 2)...]))
        }
    }

    @Test(arguments: [0, 10, 70, 130])
    func `a spool can be taken back to an earlier place`(place: Int) throws {
        let spool = SpoolWriter(folder: "/tmp", memoryLimit: 64)
        for number in 0..<140 {
            spool.output.append([UInt8(number)])
            spool.drain()
        }
        spool.truncate(to: place)
        spool.output.append([255])
        #expect(try spool.finish().all() == (0..<place).map { UInt8($0) } + [255])
    }

    @Test
    func `a spool that cannot be made says so at the end`() throws {
        let spool = SpoolWriter(folder: "/nowhere/at/all", memoryLimit: 4)
        spool.output.append([1, 2, 3, 4, 5])
        spool.drain()
        #expect(throws: SpoolError.self) { try spool.finish() }
    }

    @Test
    func `the file of a spool is closed in programs that the process starts`() throws {
        let spool = SpoolWriter(folder: "/tmp", memoryLimit: 4)
        spool.output.append([1, 2, 3, 4, 5])
        spool.drain()
        guard case .spool(let file) = try spool.finish() else {
            Issue.record("five bytes are more than four, and lie in a file")
            return
        }
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}
