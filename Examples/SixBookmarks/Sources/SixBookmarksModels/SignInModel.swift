// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
import SixBookmarks
import Tideline

/// The first screen, which asks who this is.
@MainActor
@Observable
public final class SignInModel {
    /// The address of the service.
    public var service: String
    /// The name at the service.
    public var user = ""
    /// Taken as it is typed, and gone after the attempt that succeeds.
    public var password = ""
    /// The same password again, of who is new; else it says nothing.
    public var again = ""
    /// Whether the service does not know the user yet: the name is registered, then.
    public var isNew = false
    /// Whether the next start signs in by itself.
    public var isRemembered = true
    /// What is wrong, a line for each thing; `nil` where nothing is.
    public private(set) var message: String?
    /// Whether the service was asked and refused: what was typed unseen is typed again then, and else is kept.
    public private(set) var isRefused = false
    /// Whether the service is being asked.
    public private(set) var isBusy = false

    @ObservationIgnored private let device: BookmarkDevice

    /// The screen of a device.
    ///
    /// - Parameter service: the address of the service, until another is typed.
    public init(_ device: BookmarkDevice, service: String) {
        self.device = device
        self.service = service
    }

    /// Signs in as the last time, where that was remembered: from the file of this device, with a connection or without.
    ///
    /// - Returns: `nil` where the form is to be shown.
    public func start() -> BookmarkSession? {
        do {
            guard let account = try device.accounts.remembered() else { return nil }
            (service, user) = (account.service, account.user)
            return try device.open(account)
        } catch {
            message = "\(error)"
            return nil
        }
    }

    /// Signs in with what was typed.
    ///
    /// - Returns: `nil` where ``message`` says why not.
    public func signIn() async -> BookmarkSession? {
        guard !isBusy else { return nil }
        isRefused = false
        let name = user.trimmed
        let missing = [
            service.trimmed.isEmpty ? "The address of the service is missing." : nil,
            name.isEmpty ? "The user name is missing." : nil,
            password.isEmpty ? "The password is missing." : nil,
            isNew && !password.isEmpty && again != password ? "The two passwords are not the same." : nil,
        ].compactMap(\.self)
        guard missing.isEmpty else {
            message = missing.joined(separator: "\n")
            return nil
        }
        message = nil
        isBusy = true
        defer { isBusy = false }
        do {
            let credentials = Credentials(user: name, password: password)
            let session = try await device.signIn(
                credentials,
                at: service.trimmed,
                isRemembered: isRemembered,
                isNew: isNew
            )
            (password, again, isNew) = ("", "", false)
            return session
        } catch {
            isRefused = (error as? ClientError)?.status != nil
            message = "\(error)"
            return nil
        }
    }

    /// Shows the form again for a user whose sign-in the service takes no more; the next start asks too.
    func reject(_ account: Account, _ reason: String) {
        (service, user, password) = (account.service, account.user, "")
        message = reason
        do { try device.forget(account) } catch { message = "\(reason)\n\(error)" }
    }

    /// Shows the form empty, as after a sign-out.
    func clear(_ message: String?) {
        (user, password, again, isRemembered, isNew) = ("", "", "", true, false)
        self.message = message
    }
}
