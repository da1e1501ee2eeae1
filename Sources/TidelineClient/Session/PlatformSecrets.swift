// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The place for secrets that fits the platform.
public enum PlatformSecrets {
    /// The keychain on Apple's platforms, elsewhere files in the folder `tokens` of the user's configuration.
    ///
    /// - Parameter userFolder: the user's configuration folder; its path names the keychain's group too.
    public static func store(userFolder: String = UserFolder.path) -> any SecretStore {
        #if canImport(Security)
        Keychain(service: "tideline:" + userFolder)
        #else
        SecretFolder(path: userFolder + "/tokens")
        #endif
    }
}
