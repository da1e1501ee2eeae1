// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the process does when it writes to a connection that the other side has closed.
enum BrokenPipe {
    /// Takes the signal away, once, unless the program has a handler of its own: such a write is an error and not the end
    /// of the process.
    ///
    /// libcurl, on which URLSession stands, ignores the signal while it works and then puts back what it found. Of two
    /// threads the second finds that it is ignored, and the first puts back that it is not, while the second still writes;
    /// and what another library, such as a server's, has set for good in between is undone.
    static let isIgnored: Bool = {
        var now = sigaction()
        guard unsafe sigaction(SIGPIPE, nil, &now) == 0 else { return false }
        let isDefault = unsafe now.__sigaction_handler.sa_handler == nil
        if isDefault { _ = signal(SIGPIPE, SIG_IGN) }
        return isDefault
    }()
}
#endif
