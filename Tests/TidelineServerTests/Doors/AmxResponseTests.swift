// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// Reading what the services of accounts and users answer, as the test client does.
struct AmxResponseTests {
    private static let world = "urn:schemas-microsoft-com:datatypes"

    private func told(_ text: String) -> String? {
        do throws(AmxResponse.Unreadable) {
            _ = try AmxResponse(reading: Array(text.utf8))
            return nil
        } catch {
            return error.message
        }
    }

    private func read(_ text: String) throws -> AmxResponse { try AmxResponse(reading: Array(text.utf8)) }

    @Test(
        .covers("SB-F017"),
        arguments: [
            AmxResponse.result("LogonOk", token: "d8313229998afe2de52698934a51dfb6"),
            .result("InvalidPassword", message: "The password is not valid. <&>"), .result(""),
            AmxResponse(
                error: "System.InvalidOperationException: Neither a logon token\n  at AmxMobile(LogonToken& t)"
            ),
        ]
    )
    func `what is written is read again, with a message and without`(answer: AmxResponse) throws {
        #expect(try AmxResponse(reading: answer.bytes) == answer)
    }

    @Test(.covers("SB-F017", "SB-F019"))
    func `the order of the elements says nothing, and what is unknown is passed over`() throws {
        let answer = try read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <AmxResponse><Later><Result>x</Result></Later><HasException xmlns:dt="\(Self.world)" dt:type="boolean">0\
            </HasException><Token>abc</Token><Result>LogonOk</Result></AmxResponse>
            """
        )
        #expect(answer == .result("LogonOk", token: "abc"))
    }

    @Test(
        .covers("SB-F018"),
        arguments: ["0": false, "1": true, "false": false, "true": true, "FALSE": false, "True": true, "tRuE": true]
    )
    func `a Boolean is 0, 1, false or true in any letter case`(text: String, isTrue: Bool) throws {
        #expect(try AmxResponse.boolean(text) == isTrue)
        let answer = try read(
            "<AmxResponse><HasException>\(text)</HasException><Error>bad</Error><Result>Ok</Result></AmxResponse>"
        )
        #expect(answer == (isTrue ? AmxResponse(error: "bad") : .result("Ok")))
    }

    @Test(.covers("SB-F018"), arguments: ["", "2", "yes", "-1", "01", "true false", "ẗrue"])
    func `another text is no Boolean, and told as it is`(text: String) {
        let told = told("<AmxResponse><Result>Ok</Result><HasException>\(text)</HasException></AmxResponse>")
        #expect(told == "The value \"\(text)\" is no Boolean: 0, 1, false or true.")
    }

    @Test(
        .covers("SB-F019"),
        arguments: [
            ("<html><body/></html>", "The root element is \"html\", not \"AmxResponse\"."),
            ("<amxresponse/>", "The root element is \"amxresponse\", not \"AmxResponse\"."),
            (
                "<AmxResponse xmlns=\"urn:x\"/>",
                "The root element is in the namespace \"urn:x\", and ought to be in none."
            ),
            ("<AmxResponse><Result>LogonOk</Result></AmxResponse>", "The element \"HasException\" is missing."),
            ("<AmxResponse><HasException>0</HasException></AmxResponse>", "The element \"Result\" is missing."),
            (
                "<AmxResponse><HasException>1</HasException></AmxResponse>",
                "The answer is an exception, and the element \"Error\" is missing."
            ),
            (
                "<AmxResponse><Result>a</Result><Result>b</Result><HasException>0</HasException></AmxResponse>",
                "The element \"Result\" is there 2 times."
            ),
        ]
    )
    func `what is no answer is told in a sentence`(text: String, message: String) {
        #expect(told(text) == message)
    }

    @Test(
        .covers("SB-F019", "SB-S11"),
        arguments: ["", "no XML", "<AmxResponse>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>"]
    )
    func `what is no XML is told too, and declares nothing`(text: String) {
        #expect(told(text)?.isEmpty == false)
    }

    @Test(.covers("SB-F008", "SB-F017"))
    func `the test client says what an answer comes to, and takes its token over`() async throws {
        let world = try SixBookmarksWorld()
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("test")
            let typed = ["url": "/services/apirest.aspx?operation=logon&password=x", "user": "tideline", "fill": ""]
            #expect(try await browser.send("test", typed) == .ok)
            // The domain of this world has no such door: the answer is a page, and the client says so.
            #expect(browser.page.contains("A client of 2010 could not read this."), "\(browser.page)")
            #expect(browser.value(of: "token") == "")
        }
    }
}
