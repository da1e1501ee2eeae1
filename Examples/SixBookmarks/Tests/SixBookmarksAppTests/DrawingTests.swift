// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksTerminal
import Testing
import TidelineTestSupport

/// Keys from bytes, and frames as bytes.
struct DrawingTests {
    private func keys(_ pieces: [UInt8]...) -> [Key] {
        var parser = KeyParser()
        return pieces.flatMap { parser.keys($0) }
    }

    @Test func `bytes are keys, in one piece or in several`() {
        #expect(keys(Array("a1\r\t\u{7F}".utf8)) == [.character("a"), .character("1"), .enter, .tab, .backspace])
        #expect(
            keys(Array("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[Z".utf8))
                == [.up, .down, .right, .left, .home, .end, .delete, .backTab]
        )
        #expect(keys([0x1B]) == [.escape])
        #expect(keys([0x1B, 0x1B]) == [.escape, .escape])
        #expect(keys([3]) == [.interrupt])
        #expect(keys(Array("é日🌊".utf8)) == [.character("é"), .character("日"), .character("🌊")])
        #expect(keys([0xE6, 0x97], [0xA5, 0x61]) == [.character("日"), .character("a")])
        // What is no key is left out: other commands, broken text.
        #expect(keys(Array("\u{1B}[15~\u{1B}[200~x".utf8), [0xFF, 0x62]) == [.character("x"), .character("b")])
    }

    @Test func `a field is typed, with the place in it`() {
        var field = TextField("ad")
        for key in [Key.character("a"), .home, .delete, .right, .character("é"), .end, .backspace] {
            let isTyped = field.type(key)
            #expect(isTyped)
        }
        #expect(field.text == "dé")
        #expect(field.place == 2)
        var other = field
        let isTaken = [Key.enter, .up, .tab, .escape].map { other.type($0) }
        #expect(isTaken == [false, false, false, false])
        for key in [Key.left, .left, .left, .backspace, .right, .right, .right, .delete] { _ = field.type(key) }
        #expect(field.text == "dé")
    }

    private func frame() -> Frame {
        var frame = Frame("Title", corner: "ada", keys: ["a add", "b back", "c configure"])
        for line in 0..<30 { frame.add("line \(line)") }
        return frame
    }

    @Test(arguments: [(80, 24), (20, 8), (5, 3), (1, 1), (200, 100)])
    func `a frame fits every size, with its focus in sight`(columns: Int, rows: Int) {
        var frame = frame()
        for focus in [0, 15, 29] {
            frame.focus = focus
            let layout = Layout(frame, ScreenSize(columns: columns, rows: rows))
            #expect(layout.rows.count == rows)
            #expect(layout.rows.allSatisfy { $0.text.count <= columns })
            if columns >= 20 { #expect(layout.rows.contains { $0.text == "line \(focus)" }) }
        }
    }

    @Test func `keys at the foot wrap, the corner goes where there is no room, long lines are cut`() {
        var frame = Frame("Title", corner: "somebody", keys: ["a add", "b back"])
        frame.add("0123456789ABCDEF")
        let narrow = Layout(frame, ScreenSize(columns: 12, rows: 6)).rows.map(\.text)
        #expect(narrow == ["Title", "", "0123456789A…", "", "a add", "b back"])
        let wide = Layout(frame, ScreenSize(columns: 20, rows: 5)).rows.map(\.text)
        #expect(wide == ["Title       somebody", "", "0123456789ABCDEF", "", "a add   b back"])
    }

    @Test func `a text goes on in further rows, broken at blanks, below its first letter`() {
        var frame = Frame("T", keys: ["q"])
        frame.add(text: "The quick brown fox jumps")
        frame.add(text: "  so itdoesandmore")
        frame.focus = 1
        let rows = Layout(frame, ScreenSize(columns: 10, rows: 10)).rows.map(\.text)
        #expect(rows == ["T", "", "The quick", "brown fox", "jumps", "  so", "  itdoesan", "  dmore", "", "q"])
        // Where not all rows fit, those of the focus do.
        let low = Layout(frame, ScreenSize(columns: 10, rows: 7)).rows.map(\.text)
        #expect(low == ["T", "", "  so", "  itdoesan", "  dmore", "", "q"])
    }

    @Test func `the line that is typed in moves where the cursor would be beyond the edge`() {
        var frame = Frame("T", keys: ["q"])
        frame.add("  Name     0123456789ABCDEFGHIJ")
        frame.margin = 11
        func shown(_ place: Int, _ columns: Int) -> String {
            frame.cursor = (0, 11 + place)
            let layout = Layout(frame, ScreenSize(columns: columns, rows: 5))
            return layout.rows[2].text + " \(layout.cursor?.column ?? -1)"
        }
        // At the end of the text, in its middle, at its beginning, and where there is room.
        #expect(shown(20, 20) == "  Name     …EFGHIJ 18")
        #expect(shown(10, 20) == "  Name     …456789A… 18")
        #expect(shown(0, 20) == "  Name     01234567… 11")
        #expect(shown(20, 40) == "  Name     0123456789ABCDEFGHIJ 31")
    }

    @Test func `wide characters take two columns`() {
        var frame = Frame("日本", corner: "é", keys: [])
        frame.add("日本語日本語")
        let rows = Layout(frame, ScreenSize(columns: 8, rows: 3)).rows.map(\.text)
        #expect(rows == ["日本   é", "", "日本語…"])
    }

    @Test(.covers("SB-S10")) func `a name from elsewhere cannot command the terminal`() {
        var frame = Frame("T", corner: "a\u{1B}]0;x\u{7}", keys: [])
        frame.add("a\u{1B}[31mred\u{9B}5n\u{202E}x")
        let text = ANSIText(hasColours: true).text(Layout(frame, ScreenSize(columns: 40, rows: 4)))
        #expect(text.contains("a\u{FFFD}[31mred\u{FFFD}5n\u{FFFD}x"))
        #expect(!text.contains("\u{1B}[31m"))
        #expect(!text.contains("\u{1B}]0"))
    }

    @Test func `colours are for terminals that want them, and say nothing alone`() {
        var frame = Frame("T", keys: ["q quit"])
        frame.add("› chosen", .selected)
        frame.add("wrong", .bad)
        frame.cursor = (0, 2)
        let layout = Layout(frame, ScreenSize(columns: 20, rows: 6))
        let plain = ANSIText(hasColours: false).text(layout)
        #expect(
            plain == "\u{1B}[?25l\u{1B}[HT\u{1B}[K\r\n\u{1B}[K\r\n› chosen\u{1B}[K\r\nwrong\u{1B}[K\r\n\u{1B}[K\r\n"
                + "q quit\u{1B}[K\u{1B}[3;3H\u{1B}[?25h"
        )
        #expect(ANSIText(hasColours: true).text(layout).contains("\u{1B}[7m› chosen\u{1B}[0m"))
    }
}
