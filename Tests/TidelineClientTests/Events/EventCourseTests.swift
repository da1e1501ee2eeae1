// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineClient

/// The table of ``EventCourse``, a test a row.
struct EventCourseTests {
    private static let unreachable = ClientError(.unreachable, "", advice: "")

    @Test func `a stream that ends is opened again after half a second to a second`() {
        var course = EventCourse()
        #expect(course.next(after: .served, jitter: 0) == .listen(.stream, after: .milliseconds(500)))
        #expect(course.next(after: .served, jitter: 1) == .listen(.stream, after: .seconds(1)))
    }

    @Test func `a stream that brings nothing is left for polls, and tried again after an hour of them`() {
        var course = EventCourse()
        #expect(course.next(after: .silent, jitter: 0.5) == .listen(.poll, after: .zero))
        for _ in 1..<72 {
            #expect(course.next(after: .served, jitter: 0) == .listen(.poll, after: .milliseconds(100)))
        }
        #expect(course.next(after: .served, jitter: 0) == .listen(.stream, after: .milliseconds(100)))
        #expect(course.next(after: .silent, jitter: 0) == .listen(.poll, after: .zero))
        #expect(course.next(after: .served, jitter: 1) == .listen(.poll, after: .milliseconds(200)))
    }

    @Test func `each failure in a row waits twice as long, up to five minutes, and success begins anew`() {
        var course = EventCourse()
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            let next = course.next(after: .failed(Self.unreachable), jitter: 1)
            #expect(next == .listen(.stream, after: .seconds(seconds)))
        }
        #expect(course.next(after: .failed(Self.unreachable), jitter: 0) == .listen(.stream, after: .seconds(150)))
        _ = course.next(after: .served, jitter: 0)
        #expect(course.next(after: .failed(Self.unreachable), jitter: 0) == .listen(.stream, after: .milliseconds(500)))
    }

    @Test func `a failure among polls tries the stream again: the network may be another`() {
        var course = EventCourse()
        _ = course.next(after: .silent, jitter: 0)
        #expect(course.next(after: .failed(Self.unreachable), jitter: 1) == .listen(.stream, after: .seconds(1)))
    }

    @Test func `the service is given the time that it asks for`() {
        var course = EventCourse()
        let busy = ClientError(.busy, "", advice: "", retryAfter: .seconds(60))
        #expect(course.next(after: .failed(busy), jitter: 1) == .listen(.stream, after: .seconds(60)))
    }

    @Test(arguments: [ClientError.Code.notFound, .signInRequired, .wrongCredentials, .forbidden, .insecure, .refused])
    func `what does not pass stops it`(code: ClientError.Code) {
        var course = EventCourse()
        #expect(course.next(after: .failed(ClientError(code, "", advice: "")), jitter: 0) == .stop)
    }

    @Test(arguments: [ClientError.Code.notOData, .timedOut, .interrupted, .busy, .serverFailure, .unreadableAnswer])
    func `what may pass does not`(code: ClientError.Code) {
        var course = EventCourse()
        let next = course.next(after: .failed(ClientError(code, "", advice: "")), jitter: 1)
        #expect(next == .listen(.stream, after: .seconds(1)))
    }
}
