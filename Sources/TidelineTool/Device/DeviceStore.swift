// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// A store file that a command works on, and the way to its service.
struct DeviceStore {
    let store: LocalStore
    let path: String

    /// Opens a file that exists.
    init(_ path: String) throws {
        guard FilePath.exists(path) else {
            throw CommandFailure(
                "There is no file \(path).",
                next: "Make it first: tideline clone URL \(ShellWord.quoted(path))"
            )
        }
        do {
            store = try LocalStore(path: path, settings: Self.settings())
        } catch {
            throw DeviceFailure.wrap("\(path) cannot be opened.", error)
        }
        self.path = path
    }

    /// How every command opens a store: copies of a file are noticed by what the user's folder knows of it.
    static func settings() throws -> StoreSettings {
        StoreSettings(identityFolder: try UserFolder.make("stores"))
    }

    /// Where the tokens of a store's client are kept.
    @Sendable static func tokens(_ client: String) -> TokenStorage {
        TokenStorage(client: client, in: SecretFolder(path: UserFolder.path + "/tokens"))
    }

    /// The session of the store with its service; on a terminal a person is asked for the password when it is needed.
    ///
    /// - Parameters:
    ///   - address: of the service, if not the one that the store has.
    ///   - tokens: where they are kept, if not where the store's are.
    func session(at address: String? = nil, tokens: TokenStorage? = nil) throws -> Session {
        let identity = try store.identity()
        guard let origin = identity.origin else {
            throw CommandFailure("\(path) has no service.", next: "Clone it from one: tideline help clone")
        }
        let user = origin.userName
        return Session(
            address: try ServiceAddress(address ?? origin.serviceURL),
            transport: PlatformTransport.shared,
            tokens: tokens ?? Self.tokens(identity.clientID.text),
            device: HostName.text
        ) { address in
            guard let user, PasswordInput.canAsk else { return nil }
            let prompt = "Password of \(user) at \(address.host): "
            do {
                return Credentials(
                    user: user,
                    password: try PasswordInput.read(fromStandardInput: false, prompt: prompt)
                )
            } catch is CommandFailure {
                // Who gives no password is told what who cannot be asked is: that the service asks, and how to sign in.
                return nil
            }
        }
    }

    func client() throws -> ODataClient { ODataClient(session: try session()) }
}
