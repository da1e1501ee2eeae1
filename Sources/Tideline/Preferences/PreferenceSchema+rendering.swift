// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A schema as people meet it: on a command line and in a page.
extension PreferenceSchema {
    /// The help text of a command line: a line a key with what it takes, headings between.
    ///
    ///     Clock
    ///       is24 on|off           24-hour time (default: on)
    ///       zone Detroit|Tokyo    Time zone (default: Tokyo)
    public var help: String {
        let lines = lines(indent: 1)
        let width = lines.compactMap { $0.synopsis?.count }.max() ?? 0
        return
            ([title]
            + lines.map { line in
                let indent = String(repeating: "  ", count: line.indent)
                guard let synopsis = line.synopsis else { return indent + line.text }
                return indent + synopsis + String(repeating: " ", count: width - synopsis.count + 2) + line.text
            }).joined(separator: "\n") + "\n"
    }

    private struct Line {
        var indent: Int
        var synopsis: String?
        var text: String
    }

    private func lines(indent: Int) -> [Line] {
        specifiers.flatMap { specifier -> [Line] in
            switch specifier {
            case .group(let title): return [Line(indent: indent, text: title)]
            case .child(let title, let pane):
                return [Line(indent: indent, text: title)] + pane.lines(indent: indent + 1)
            default:
                let value = specifier.defaultValue.map(specifier.shown) ?? ""
                let known = value.isEmpty ? "" : " (default: \(value))"
                return [Line(indent: indent, synopsis: synopsis(specifier), text: specifier.title + known)]
            }
        }
    }

    private func synopsis(_ specifier: PreferenceSpecifier) -> String {
        let key = specifier.key ?? ""
        return switch specifier {
        case .toggle: key + " on|off"
        case .slider(_, _, _, let minimum, let maximum):
            key + " \(PreferenceValue.double(minimum).text)…\(PreferenceValue.double(maximum).text)"
        case .multiValue(_, _, _, let titles, _): key + " " + titles.joined(separator: "|")
        case .titleValue: key + " (read only)"
        default: key + " TEXT"
        }
    }

    /// The fields of an HTML form, without the form itself, each named by its key; all texts are escaped.
    ///
    /// A toggle that is off is sent as its hidden field of the same name, so that no key is missing.
    /// - Parameter values: what is set; others show their defaults.
    public func form(_ values: [String: PreferenceValue] = [:]) -> String {
        var html = ""
        var isOpen = false
        for specifier in specifiers {
            switch specifier {
            case .group(let title):
                html += (isOpen ? "</fieldset>\n" : "") + "<fieldset><legend>\(Self.escaped(title))</legend>\n"
                isOpen = true
            case .child(let title, let pane):
                html += "<details><summary>\(Self.escaped(title))</summary>\n\(pane.form(values))</details>\n"
            default:
                guard let key = specifier.key, let value = values[key] ?? specifier.defaultValue else { continue }
                let field = Self.field(specifier, Self.escaped(key), specifier.fitted(value) ?? value)
                html += "<label>\(Self.escaped(specifier.title)) \(field)</label>\n"
            }
        }
        return html + (isOpen ? "</fieldset>\n" : "")
    }

    private static func field(_ specifier: PreferenceSpecifier, _ key: String, _ value: PreferenceValue) -> String {
        let shown = escaped(value.text)
        switch specifier {
        case .group, .child: return ""
        case .textField: return "<input type=\"text\" name=\"\(key)\" value=\"\(shown)\">"
        case .titleValue: return "<output name=\"\(key)\">\(escaped(specifier.shown(value)))</output>"
        case .toggle(_, _, _, let on, let off):
            let mark = value == on ? " checked" : ""
            return "<input type=\"hidden\" name=\"\(key)\" value=\"\(escaped(off.text))\">"
                + "<input type=\"checkbox\" name=\"\(key)\" value=\"\(escaped(on.text))\"\(mark)>"
        case .slider(_, _, _, let minimum, let maximum):
            let low = PreferenceValue.double(minimum).text
            let high = PreferenceValue.double(maximum).text
            return
                "<input type=\"range\" name=\"\(key)\" min=\"\(low)\" max=\"\(high)\" step=\"any\" value=\"\(shown)\">"
        case .multiValue(_, _, _, let titles, let values):
            let options = zip(titles, values).map { title, one in
                let mark = one == value ? " selected" : ""
                return "<option value=\"\(escaped(one.text))\"\(mark)>\(escaped(title))</option>"
            }
            return "<select name=\"\(key)\">\(options.joined())</select>"
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
