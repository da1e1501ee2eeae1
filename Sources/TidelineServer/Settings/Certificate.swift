// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTLS

/// The certificate of a server.
enum Certificate {
    /// - Throws: ``ServerError`` with `certificate` and the file that cannot be used.
    static func load(_ tls: ServerSettings.TLS) throws -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(tls.certificatePath)
        } catch {
            throw ServerError(.certificate, "\(tls.certificatePath) is no certificate in PEM form that can be read.")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: tls.keyPath, format: .pem)
        } catch {
            throw ServerError(.certificate, "\(tls.keyPath) is no private key in PEM form that can be read.")
        }
        guard !chain.isEmpty else { throw ServerError(.certificate, "\(tls.certificatePath) holds no certificate.") }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
