// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineOData

struct ErrorBodyTests {
    @Test func `an error is written as the standard says and reads back`() {
        var error = ODataError(.invalidValue, "The value of \"A\" is wrong.", target: "A")
        error.details = [.init(code: "x", message: "y"), .init(code: "z", message: "w", target: "B")]
        let body = ErrorBody.write(error)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"error":{"code":"InvalidValue","message":"The value of \"A\" is wrong.","target":"A","#
                + #""details":[{"code":"x","message":"y"},{"code":"z","message":"w","target":"B"}]}}"#
        )
        #expect(ErrorBody.read(body) == error)
    }

    @Test(arguments: ["", "<html>", "{}", "[]", #"{"error":5}"#, #"{"error":{"code":"#])
    func `what is no OData error is none`(text: String) {
        #expect(ErrorBody.read(Array(text.utf8)) == nil)
    }

    @Test func `members that are not known are passed over`() {
        let text = #"{"error":{"innererror":{"a":[1]},"code":"C","message":"M","details":[{"x":1,"code":"D"}]}}"#
        #expect(
            ErrorBody.read(Array(text.utf8))
                == ODataError(code: "C", message: "M", details: [.init(code: "D", message: "")])
        )
    }
}
