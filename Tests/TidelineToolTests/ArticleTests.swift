// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// The Swift of the articles and of the README compiles as it stands there.
struct ArticleTests {
    static let articles: [String] = {
        let folder = Article.root.appending(path: "Sources/Tideline/Tideline.docc")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return ["README.md"]
            + names.filter { $0.hasSuffix(".md") }.sorted().map { "Sources/Tideline/Tideline.docc/" + $0 }
    }()

    @Test(arguments: articles)
    func `the code of an article compiles`(path: String) throws {
        let article = try Article(path)
        guard !article.script.isEmpty else { return }
        #expect(try article.complaints() == [])
    }

    @Test func `every article is read, and most have code`() throws {
        #expect(Self.articles.count >= 10)
        #expect(try Self.articles.filter { try !Article($0).script.isEmpty }.count >= 10)
    }

    @Test func `a mistake is told with its line`() throws {
        let article = Article(
            path: "Mistake.md",
            text: """
                # Mistake

                <!-- swift
                let count = 1
                -->

                ```swift
                print(count)
                print(cuont)
                ```
                """
        )
        let complaints = try article.complaints()
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("Mistake.md:9:") == true)
        #expect(complaints.first?.contains("cuont") == true)
    }
}

/// An article in Markdown: its blocks of Swift, and what it declares for them in comments, are one script.
struct Article {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let path: String
    /// As many lines as the article has, those of prose empty, so that places are the same.
    let script: String

    /// - Parameter path: from the root of the package.
    init(_ path: String) throws {
        self.init(path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
    }

    init(path: String, text: String) {
        self.path = path
        var lines: [Substring] = []
        var end: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let mark = end {
                end = line == mark ? nil : mark
                lines.append(line == mark ? "" : line)
            } else {
                if line == "```swift" { end = "```" }
                if line == "<!-- swift" { end = "-->" }
                lines.append("")
            }
        }
        let hasCode = lines.contains { !$0.isEmpty }
        // What an app imports stands on the line of the title.
        if hasCode, !lines.isEmpty { lines[0] = "import Foundation; import Tideline" }
        script = hasCode ? lines.joined(separator: "\n") : ""
    }

    /// What the compiler says, with the places of the article; unused values are no complaint.
    func complaints() throws -> [String] {
        let folder = try TemporaryFolder()
        let file = folder.file("main.swift")
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        let output = try SwiftCompiler.complaints(of: [file], isScript: true)
        return output.split(separator: "\n").compactMap { line in
            guard line.contains(": error: "), let range = line.range(of: "main.swift:") else { return nil }
            return "\(path):\(line[range.upperBound...])"
        }
    }
}
