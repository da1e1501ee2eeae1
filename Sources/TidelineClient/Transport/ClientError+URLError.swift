// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ClientError {
    /// What a failure of URLSession is for who asked.
    ///
    /// - Parameters:
    ///   - hasBegun: whether the head of the answer came.
    ///   - keepsContent: whether there is content and none of it was sent.
    init(_ error: any Error, host: String, hasBegun: Bool, keepsContent: Bool = false) {
        guard let error = error as? URLError else {
            self = .unreachable(host, "\(error)")
            return
        }
        self =
            switch error.code {
            case .timedOut: .timedOut(host)
            // Cancelled by somebody else than the task that waits, as where a challenge is turned down.
            case .cancelled, .networkConnectionLost, .badServerResponse, .cannotParseResponse,
                .cannotDecodeContentData, .cannotDecodeRawData:
                .interrupted()
            // On Linux an answer that is cut off has no code of its own.
            case .unknown where hasBegun: .interrupted()
            default:
                .unreachable(
                    host,
                    error.localizedDescription,
                    isUnsent: keepsContent && ClientError.isOfConnecting(error.code)
                )
            }
    }

    /// Whether a connection that does not come about has this code.
    ///
    /// It does not prove that nothing was sent: what failed on a connection that was kept is tried on a new one, and the
    /// code is that of the last failure.
    private static func isOfConnecting(_ code: URLError.Code) -> Bool {
        switch code {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed,
            .internationalRoamingOff, .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            true
        default: false
        }
    }
}
