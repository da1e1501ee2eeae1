// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// A store syncs as the user that it belongs to, and as nobody else.
struct OtherUserTests {
    /// A client of the world's service with the sign-in of a user; the service's tokens are made up.
    private func client(
        _ user: String,
        of world: World,
        at address: String = "http://127.0.0.1/odata/test/"
    ) throws -> (client: ODataClient, transport: RecordingTransport) {
        let address = try ServiceAddress(address)
        let service = ServiceTransport(world.service)
        let transport = RecordingTransport { request, body in
            guard request.path?.hasSuffix("/token") == true else {
                var request = request
                request.headerFields[.authorization] = nil
                return try await service.send(request, body: body)
            }
            let answer = """
                {"access_token":"a","token_type":"Bearer","expires_in":600,"refresh_token":"r",
                 "user":{"id":"1","name":"\(user)"}}
                """
            return TransportResponse(
                head: .init(status: .ok, headerFields: [.contentType: "application/json"]),
                body: Array(answer.utf8)
            )
        }
        let tokens = TokenStorage.memory()
        try tokens.save(StoredTokens(origin: address.origin, user: user, refreshToken: "r"))
        return (ODataClient(session: Session(address: address, transport: transport, tokens: tokens)), transport)
    }

    private func sync(_ device: Device, _ client: ODataClient) async throws -> SyncReport {
        try await SyncEngine(store: device.store, client: client, options: Device.options).sync()
    }

    @Test func `a sync as another user is refused before anything is asked, sent or applied`() async throws {
        let world = try World()
        let device = try await world.device("a")
        // The store was nobody's: it becomes that of the first who signs in.
        _ = try await sync(device, try client("ann", of: world).client)
        try world.execute("UPDATE Parents SET Note = 'direct' WHERE Id = 2")
        try await device.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        let bob = try client("bob", of: world)
        let error = await #expect(throws: SyncError.self) { try await sync(device, bob.client) }
        #expect(error?.code == .otherUser)
        #expect(error?.message.contains("ann") == true && error?.message.contains("bob") == true)
        #expect(bob.transport.sent.isEmpty)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 1") == ["one"])
        let attached = await #expect(throws: SyncError.self) {
            try await StoreAttacher(client: bob.client, options: Device.options).attach(device.store)
        }
        #expect(attached?.code == .otherUser)
        let elsewhere = try client("bob", of: world, at: "http://localhost/odata/test/").client
        let moved = await #expect(throws: SyncError.self) {
            try await StoreMover(client: elsewhere, options: Device.options).move(device.store)
        }
        #expect(moved?.code == .otherUser)
        #expect(try device.store.identity().origin?.serviceURL == "http://127.0.0.1/odata/test/")
        let kept = TokenStorage.memory()
        let there = await #expect(throws: SyncError.self) {
            try await StoreMover(client: bob.client, options: Device.options).move(device.store) { _ in kept }
        }
        #expect(there?.code == .otherUser)
        #expect(try kept.load() == nil)
        let note = try await device.store.read { try $0.entity(Key([.integer(2)]), in: "Parents")?["Note"] }
        #expect(note == .string("n"))
        #expect(try await sync(device, try client("ann", of: world).client).sent == 1)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 1") == ["mine"])
    }
}
