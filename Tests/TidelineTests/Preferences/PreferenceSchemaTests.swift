// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineTestSupport

struct PreferenceSchemaTests {
    /// All seven kinds.
    static func schema() throws -> PreferenceSchema {
        try PreferenceSchema(
            title: "Clock",
            [
                .group(title: "Who & where"),
                .textField(key: "name", title: "Name", defaultValue: "A \"B\" <C>"),
                .multiValue(
                    key: "zone",
                    title: "Time zone",
                    defaultValue: "Asia/Tokyo",
                    titles: ["Detroit", "Tokyo"],
                    values: ["America/Detroit", "Asia/Tokyo"]
                ),
                .toggle(key: "style", title: "24-hour time", defaultValue: true, on: "24", off: "12"),
                .group(title: "About"),
                .titleValue(key: "version", title: "Version", defaultValue: 2, titles: [2: "two"]),
                .child(
                    title: "Sound",
                    pane: try PreferenceSchema(
                        title: "Sound",
                        [.slider(key: "volume", title: "Volume", defaultValue: 0.5, minimum: 0, maximum: 1)]
                    )
                ),
            ]
        )
    }

    private static let json = """
        {"title": "Clock", "author": "nobody", "specifiers": [
          {"type": "Group", "title": "Who & where"},
          {"type": "TextField", "key": "name", "title": "Name", "default": "A \\"B\\" <C>", "colour": [1, {"x": null}]},
          {"type": "MultiValue", "key": "zone", "title": "Time zone", "default": "Asia/Tokyo",
           "titles": ["Detroit", "Tokyo"], "values": ["America/Detroit", "Asia/Tokyo"]},
          {"type": "ToggleSwitch", "key": "style", "title": "24-hour time", "default": "24", "on": "24", "off": "12"},
          {"type": "Group", "title": "About"},
          {"type": "TitleValue", "key": "version", "title": "Version", "default": 2, "titles": ["two"], "values": [2]},
          {"type": "ChildPane", "title": "Sound", "pane": {"title": "Sound", "specifiers": [
            {"type": "Slider", "key": "volume", "title": "Volume", "default": 0.5, "minimum": 0, "maximum": 1}]}}]}
        """

    @Test(.covers("MD-I24", "MD-I21"))
    func `JSON and code give the same schema, and members that are not known are passed over`() throws {
        #expect(try PreferenceSchema(json: Self.json) == Self.schema())
        #expect(try Self.schema().all.compactMap(\.key) == ["name", "zone", "style", "version", "volume"])
    }

    @Test(.covers("MD-I24"))
    func `all seven kinds show in the help of a command line`() throws {
        let help = try Self.schema().help
        #expect(
            help == """
                Clock
                  Who & where
                  name TEXT            Name (default: A "B" <C>)
                  zone Detroit|Tokyo   Time zone (default: Tokyo)
                  style on|off         24-hour time (default: on)
                  About
                  version (read only)  Version (default: two)
                  Sound
                    volume 0…1           Volume (default: 0.5)

                """
        )
    }

    @Test(.covers("MD-I24"))
    func `all seven kinds show as a web form, with every text escaped`() throws {
        let form = try Self.schema().form(["style": "12", "name": "<script>'x'</script>"])
        #expect(
            form == """
                <fieldset><legend>Who &amp; where</legend>
                <label>Name <input type="text" name="name" value="&lt;script&gt;&#39;x&#39;&lt;/script&gt;"></label>
                <label>Time zone <select name="zone"><option value="America/Detroit">Detroit</option>\
                <option value="Asia/Tokyo" selected>Tokyo</option></select></label>
                <label>24-hour time <input type="hidden" name="style" value="12">\
                <input type="checkbox" name="style" value="24"></label>
                </fieldset>
                <fieldset><legend>About</legend>
                <label>Version <output name="version">two</output></label>
                <details><summary>Sound</summary>
                <label>Volume <input type="range" name="volume" min="0" max="1" step="any" value="0.5"></label>
                </details>
                </fieldset>

                """
        )
    }

    private func refusal(_ specifiers: PreferenceSpecifier...) -> PreferenceError? {
        do {
            _ = try PreferenceSchema(title: "x", specifiers)
            return nil
        } catch { return error }
    }

    @Test(.covers("MD-I25"))
    func `a schema that contradicts itself is refused at once`() throws {
        let uneven = refusal(
            .multiValue(key: "k", title: "", defaultValue: 1, titles: ["one"], values: [1, 2])
        )
        #expect(uneven?.code == .invalidSchema)
        #expect(uneven?.message == "The preference 'k' has 1 titles and 2 values.")
        #expect(
            refusal(.multiValue(key: "k", title: "", defaultValue: 3, titles: ["a", "b"], values: [1, 2]))?.message
                == "The preference 'k' has a default that is none of its values."
        )
        #expect(refusal(.multiValue(key: "k", title: "", defaultValue: 3, titles: [], values: [])) != nil)
        #expect(refusal(.multiValue(key: "k", title: "", defaultValue: 1, titles: ["a", "b"], values: [1, 1])) != nil)
        #expect(refusal(.slider(key: "k", title: "", defaultValue: 2, minimum: 0, maximum: 1)) != nil)
        #expect(refusal(.slider(key: "k", title: "", defaultValue: 1, minimum: 1, maximum: 1)) != nil)
        #expect(refusal(.toggle(key: "k", title: "", defaultValue: true, on: 1, off: 1)) != nil)
        #expect(refusal(.textField(key: "", title: "", defaultValue: "")) != nil)
        let pane = try PreferenceSchema(title: "p", [.textField(key: "k", title: "", defaultValue: "")])
        #expect(refusal(.textField(key: "k", title: "", defaultValue: ""), .child(title: "p", pane: pane)) != nil)
        for json in [
            "{}", "[", #"{"title":"x","specifiers":[{"type":"Knob","key":"k"}]}"#,
            #"{"title":"x","specifiers":[{"type":"TextField"}]}"#,
            #"{"title":"x","specifiers":[{"type":"ToggleSwitch","key":"k","default":7}]}"#,
            #"{"title":"x","specifiers":[{"type":"MultiValue","key":"k","default":1,"titles":["a"],"values":[1,2]}]}"#,
        ] {
            let error = #expect(throws: PreferenceError.self) { try PreferenceSchema(json: json) }
            #expect(error?.code == .invalidSchema)
        }
    }

    @Test(.covers("MD-I20"))
    func `dictionaries in arrays with moments, bytes and numbers survive JSON and both forms of property lists`() throws
    {
        let value: PreferenceValue = .array([
            .dictionary([
                "when": .date(DateTimeOffset(seconds: 1_700_000_000, nanoseconds: 1)),
                "what": .data([0, 1, 254, 255]),
                "numbers": .array([.integer(.max), .integer(.min), .double(0.1), .double(5), .double(-2)]),
                "flags": .array([true, false]),
            ]),
            .dictionary(["text": "é \"quoted\"\n", "empty": .dictionary([:]), "none": .array([]), "$odd": 1]),
        ])
        let json = try JSONDecoder().decode(PreferenceValue.self, from: JSONEncoder().encode(value))
        #expect(json == value)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let list = try PropertyListDecoder().decode(PreferenceValue.self, from: encoder.encode(value))
            #expect(list == value)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PreferenceValue.self, from: Data(#"{"$date":"yesterday"}"#.utf8))
        }
    }
}
