// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Foundation
import Security

/// Secrets in the keychain of an Apple platform, readable after the first unlock, on this device alone.
///
/// It was compiled for no Apple platform yet: no machine with one was at hand.
public struct Keychain: SecretStore {
    /// What groups the app's secrets; often its bundle identifier.
    public let service: String

    public init(service: String) { self.service = service }

    private func query(_ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: name,
        ]
    }

    public func secret(_ name: String) throws -> [UInt8]? {
        var query = query(name)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw failure("read", status) }
        return [UInt8](data)
    }

    public func keep(_ secret: [UInt8], as name: String) throws {
        let content: [String: Any] = [
            kSecValueData as String: Data(secret),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query(name) as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
            let item = query(name).merging(content) { $1 }
            status = unsafe SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw failure("written", status) }
    }

    public func remove(_ name: String) throws {
        let status = SecItemDelete(query(name) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw failure("changed", status) }
    }

    private func failure(_ what: String, _ status: OSStatus) -> ClientError {
        ClientError(.file, "The keychain cannot be \(what) (\(status)).", advice: "Unlock the device and try again.")
    }
}
#endif
