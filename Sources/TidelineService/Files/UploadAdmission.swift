// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a request before its body is read.
public enum UploadAdmission: Sendable {
    /// It changes no stream that is kept in a file: its body is read as any other.
    case none
    /// Its body goes into this file.
    case accepted(MediaUpload)
    /// It is refused, whatever its body is: the answer.
    case refused(ServiceResponse)
}
