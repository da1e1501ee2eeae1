// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension AmxResponse {
    /// Why a document is no answer of the services of accounts and users, for people.
    struct Unreadable: Error, Hashable {
        var message: String
    }

    /// Reads a document as a client of 2010 does: whether it is an exception first, then what it says.
    ///
    /// The order of the elements does not matter, and a message is optional.
    init(reading bytes: [UInt8]) throws(Unreadable) {
        let root: XMLTree
        do throws(ODataError) {
            root = try XMLTree.read(bytes)
        } catch {
            throw Unreadable(message: error.message)
        }
        guard root.name == "AmxResponse" else {
            throw Unreadable(message: "The root element is \"\(root.name)\", not \"AmxResponse\".")
        }
        guard root.namespace.isEmpty else {
            throw Unreadable(
                message: "The root element is in the namespace \"\(root.namespace)\", and ought to be in none."
            )
        }
        guard let exception = try root.only("HasException") else {
            throw Unreadable(message: "The element \"HasException\" is missing.")
        }
        self.init(message: try root.only("Message"))
        if try Self.boolean(exception) {
            guard let text = try root.only("Error") else {
                throw Unreadable(message: "The answer is an exception, and the element \"Error\" is missing.")
            }
            error = text
        } else {
            guard let text = try root.only("Result") else {
                throw Unreadable(message: "The element \"Result\" is missing.")
            }
            result = text
            token = try root.only("Token")
        }
    }

    /// `0`, `1`, `false` or `true` in any letter case.
    static func boolean(_ text: String) throws(Unreadable) -> Bool {
        switch text.lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default: throw Unreadable(message: "The value \"\(text)\" is no Boolean: 0, 1, false or true.")
        }
    }
}

extension XMLTree {
    /// The text of the one child of that name; `nil` where there is none.
    fileprivate func only(_ name: String) throws(AmxResponse.Unreadable) -> String? {
        let found = children.filter { $0.name == name }
        guard found.count < 2 else {
            throw AmxResponse.Unreadable(message: "The element \"\(name)\" is there \(found.count) times.")
        }
        return found.first?.text
    }
}
