// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineOData

struct StreamEventTests {
    private func events(_ pieces: [String]) throws -> (events: [StreamEvent], lastID: String?) {
        var reader = StreamEventReader()
        var events: [StreamEvent] = []
        for piece in pieces { events += try reader.read(piece.utf8) }
        return (events, reader.lastID)
    }

    @Test func `a notice is an event of three lines, and comes back`() throws {
        let notice = ChangeNotice(id: "a1", sets: ["Orders", "Clients", "A\"B"])
        let text = String(decoding: StreamEvent(notice).bytes, as: UTF8.self)
        #expect(
            text == """
                id: a1
                event: change
                data: {"id":"a1","sets":["A\\"B","Clients","Orders"]}


                """
        )
        let (events, lastID) = try events([text])
        #expect(events == [StreamEvent(notice)] && lastID == "a1")
        #expect(try ChangeNotice(json: events[0].data.utf8) == notice)
    }

    @Test func `a notice of nothing says that the stream is ready`() {
        let text = String(decoding: StreamEvent(ChangeNotice(id: "x", sets: [])).bytes, as: UTF8.self)
        #expect(text == "id: x\nevent: ready\ndata: {\"id\":\"x\",\"sets\":[]}\n\n")
    }

    @Test func `comments, the retry line and a lone id give no event, but the id counts`() throws {
        let stream =
            String(decoding: StreamEvent.retry(milliseconds: 3_000) + StreamEvent.keepAlive, as: UTF8.self)
            + "id: 7\n\n"
        #expect(stream == "retry: 3000\n\n:\n\nid: 7\n\n")
        let (events, lastID) = try events([stream])
        #expect(events == [] && lastID == "7")
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `pieces of any size and every line break of the standard give the same events`(size: Int) throws {
        let text = "\u{FEFF}data: one\rid:2\r\rdata: two\r\ndata:  three\r\n\r\nevent: é\ndata\n\nid: 9\ndata: cut off"
        let bytes = Array(text.utf8)
        var reader = StreamEventReader()
        var found: [StreamEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += try reader.read(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            found == [
                StreamEvent(id: "2", data: "one"), StreamEvent(id: "2", data: "two\n three"),
                StreamEvent(name: "é", id: "2", data: ""),
            ]
        )
        #expect(reader.lastID == "2")
    }

    @Test func `a block without end is refused at its limit`() throws {
        var reader = StreamEventReader()
        let piece = [UInt8](repeating: 0x61, count: StreamEventReader.limitInBytes)
        #expect(try reader.read(piece) == [])
        #expect(throws: ODataError(.tooComplex, "An event of the stream does not end.")) { try reader.read([0x61]) }
    }

    @Test func `members that are not known are passed over, and what is missing is refused`() throws {
        let notice = try ChangeNotice(json: #" {"later":[1,{"a":2}],"sets":["A","A"],"id":"é"} "#.utf8)
        #expect(notice == ChangeNotice(id: "é", sets: ["A"]))
        for text in ["", "{}", #"{"id":"1"}"#, #"{"sets":[]}"#, #"{"id":1,"sets":[]}"#, #"{"id":"1","sets":[1]}"#] {
            #expect(throws: ODataError.self, "\(text)") { try ChangeNotice(json: text.utf8) }
        }
    }
}
