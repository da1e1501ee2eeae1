// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// What other parts of the store know when its whole content is replaced, given away or removed.
struct ReplacementTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func store(_ name: String, user: String? = nil) throws -> LocalStore {
        let origin = user.map { StoreOrigin(serviceURL: "http://x/", userName: $0) }
        return try LocalStore.open(path: folder.file(name), model: Fixture.model, origin: origin)
    }

    private func insert(_ text: String, _ store: LocalStore) throws {
        try store.write { try $0.insert(["Code": .string(text)], into: "Tags") }
    }

    @Test func `an answer to what was sent before a reset settles nothing`() throws {
        let seed = try store("seed")
        try seed.exportSeed(to: folder.file("seed.tideline"))
        let store = try store("a")
        try insert("a", store)
        let content = try store.identity().content
        try store.reset(toSeed: folder.file("seed.tideline"), discardingChanges: true)
        try insert("b", store)
        let number = try #require(try store.pendingTransactions().last?.number)
        let outcomes = [TransactionOutcome.refused(number: number, code: "Rule", message: "No.", status: 422)]
        #expect(code { try store.settle(outcomes, content: content) } == .busy)
        #expect(code { try store.apply(Checkpoint(deltaLinks: ["Tags": "x"]), content: content) } == .busy)
        #expect(try store.status().quarantined == 0)
        #expect(try store.waitingChanges().map(\.key) == [Key([.string("b")])])
        try store.settle(outcomes, content: try store.identity().content)
        #expect(try store.status().quarantined == 1)
    }

    @Test func `a pull of the content before a reset is waited for no more`() throws {
        let seed = try store("seed")
        try seed.exportSeed(to: folder.file("seed.tideline"))
        let mine = try store("a")
        let other = try store("a")
        let claim = try other.claimPull()
        _ = try other.beginLoad(set: "Tags", claim: claim)
        let isHeld = try mine.claimPull().isContested
        #expect(isHeld)
        try mine.reset(toSeed: folder.file("seed.tideline"))
        let isContested = try mine.claimPull().isContested
        #expect(!isContested)
        #expect(throws: PullClaim.Lost.self) { try other.beginLoad(set: "Tags", claim: claim) }
    }

    @Test func `what was known of the service goes with the rows, by a seed and by briefcases`() throws {
        let store = try store("a")
        func known(_ store: LocalStore) throws -> String? { try store.identity().positions.position(of: 99) }
        _ = try store.apply(Checkpoint(deltaLinks: [:], position: "older"))
        try store.setEpoch("a-one", from: nil)
        try store.exportSeed(to: folder.file("seed.tideline"))
        try insert("a", store)
        for form in [Briefcase.Form.file, .folder] {
            try store.exportBriefcase(to: folder.file("case-\(form)"), form: form, version: "1")
        }
        _ = try store.apply(Checkpoint(deltaLinks: [:], position: "newer"))
        #expect(try known(store) == "newer")
        try store.setEpoch("b-two", from: "a-one")
        let number = try #require(try store.pendingTransactions().last?.number)
        #expect(try store.identity().positions.position(of: number) == "older")
        for form in [Briefcase.Form.file, .folder] {
            let other = try self.store("other-\(form)")
            _ = try other.apply(Checkpoint(deltaLinks: [:], position: "newest"))
            let imported = try other.importBriefcase(from: folder.file("case-\(form)"), version: "1")
            #expect(imported == .imported(properties: [:]))
            #expect(try known(other) == "older")
            #expect(try other.identity().epoch == "a-one")
        }
        try store.reset(toSeed: folder.file("seed.tideline"), discardingChanges: true)
        #expect(try known(store) == "older")
        #expect(try store.identity().epoch == "a-one")
    }

    @Test(arguments: [Briefcase.Form.file, .folder])
    func `another user's briefcase is refused`(_ form: Briefcase.Form) throws {
        let ada = try store("ada", user: "ada")
        try insert("a", ada)
        try ada.exportBriefcase(to: folder.file("case"), form: form, version: "1")
        let bob = try store("bob", user: "bob")
        #expect(code { try bob.importBriefcase(from: folder.file("case"), version: "1") } == .foreignFile)
        #expect(try Fixture.rows(bob, "Tags").isEmpty)
        let again = try store("again", user: "ada")
        #expect(try again.importBriefcase(from: folder.file("case"), version: "1") == .imported(properties: [:]))
        #expect(try again.waitingChanges().map(\.key) == [Key([.string("a")])])
    }

    @Test func `an imported temporary key is not taken for one that a sync replaced here`() throws {
        let other = try store("other")
        let key = try other.write { try $0.insert([:], into: "Orders") }
        try other.exportBriefcase(to: folder.file("case"), form: .file, version: "1")
        let store = try store("a")
        let set = try #require(store.model.setIndex(wire: "Orders"))
        let (old, new) = (RowIdentity(set: set, key: key.values), RowIdentity(set: set, key: [.integer(42)]))
        try store.writing { connection in
            try ServerEffects(connection).noteRenamed(old, to: new)
            return ((), [])
        }
        #expect(try store.read { try $0.currentKey(key, in: "Orders") } == Key([.integer(42)]))
        #expect(try store.importBriefcase(from: folder.file("case"), version: "1") == .imported(properties: [:]))
        #expect(try store.read { try $0.currentKey(key, in: "Orders") } == key)
        #expect(try store.reading { try $0.renamed($0.layout.sets[set], key.values) } == nil)
    }

    @Test func `rows that the service does not have are in no seed of it`() throws {
        let store = try store("a", user: "ada")
        try insert("a", store)
        let error = #expect(throws: LocalStoreError.self) { try store.exportSeed(to: folder.file("seed")) }
        #expect(error?.code == .pendingChanges)
        #expect(error?.changes.map(\.key) == [Key([.string("a")])])
        #expect(!StoreFile.exists(folder.file("seed")))
    }

    @Test func `a wipe that is cancelled leaves the store open`() async throws {
        let store = try store("a")
        let error = await Task { () -> (any Error)? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do {
                try store.wipe()
                return nil
            } catch { return error }
        }.value
        #expect(error is CancellationError)
        try insert("a", store)
        #expect(try store.wipe(discardingChanges: true).count == 1)
        #expect(!StoreFile.exists(folder.file("a")))
    }
}
