// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

struct ValidationMessagesTests {
    private func failure(
        _ rule: ValidationFailure.Rule,
        _ properties: [String] = ["Title"],
        _ arguments: [String: Value] = [:],
        message: String? = nil
    ) -> ValidationFailure {
        ValidationFailure(set: "Movies", properties: properties, rule: rule, message: message, arguments: arguments)
    }

    @Test func `failures speak another language, by rule, set, property and name`() {
        let german = ValidationMessages(
            texts: [
                "validation.required": "{property} fehlt.",
                "validation.required.Movies.Price": "Was kostet der Film?",
                "validation.maxLength": "{property} hat mehr als {maxLength} Zeichen.",
                "validation.dependents": "{entity} kann nicht weg: {dependents} hängen daran.",
                "validation.constraint.Dates.Movies": "Das Ende liegt vor dem Anfang.",
            ],
            names: ["Movies": "Der Film", "Movies.Title": "Der Titel", "Covers": "Umschläge"]
        )
        let texts = [
            failure(.required), failure(.required, ["Price"]), failure(.required, ["ReleaseDate"]),
            failure(.maxLength, ["Title"], ["maxLength": .integer(20)]),
            failure(.dependents, ["Covers"], ["dependents": .string("Covers")]),
            failure(.constraint("Dates"), [], message: "The end comes before the start."),
            failure(.constraint("Other"), [], message: "Something else."), failure(.unique),
        ].map(german.text)
        #expect(
            texts == [
                "Der Titel fehlt.", "Was kostet der Film?", "Release date fehlt.",
                "Der Titel hat mehr als 20 Zeichen.", "Der Film kann nicht weg: Umschläge hängen daran.",
                "Das Ende liegt vor dem Anfang.", "Something else.", "Der Titel is taken by another entry.",
            ]
        )
    }

    @Test func `values of a rule are written in the reader's manner`() {
        let messages = ValidationMessages(
            texts: { _ in nil },
            names: { _ in nil },
            format: { "<\($0.text ?? "")>" }
        )
        let failure = failure(.minimum, ["Price"], ["minimum": .decimal(EdmDecimal(coefficient: 15, scale: 1))])
        #expect(messages.text(for: failure) == "Price must be at least <1.5>.")
        #expect(failure.message == "Price must be at least 1.5.")
    }

    @Test(arguments: [
        ("Title", "Title"), ("OrderDate", "Order date"), ("PageURL", "Page URL"), ("last_name", "Last name"),
        ("URL", "URL"), ("_", "_"), ("a{b", "A{b"),
    ])
    func `a wire name is read as words where no name is given`(wire: String, words: String) {
        #expect(ValidationMessages.english.name(of: wire, in: "Movies") == words)
    }

    @Test func `each rule has an identifier of its own and an English sentence`() {
        let rules: [ValidationFailure.Rule] = [
            .required, .type, .range, .maxLength, .precision, .scale, .minimum, .maximum, .pattern, .allowedValues,
            .key,
            .unique, .reference, .dependents,
        ]
        #expect(Set(rules.map(\.identifier)).count == rules.count)
        #expect(rules.allSatisfy { !failure($0).message.contains("cannot be saved.") })
        #expect(ValidationFailure.Rule.constraint("Dates").identifier == "constraint.Dates")
    }

    @Test func `braces that name nothing stay as they are`() {
        let odd = ValidationMessages(texts: ["validation.required": "{property} {nothing} {"])
        #expect(odd.text(for: failure(.required)) == "Title {nothing} {")
    }
}
