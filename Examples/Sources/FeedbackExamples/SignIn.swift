// SPDX-License-Identifier: Apache-2.0

package import MillraceFeedback

package struct SignIn: Sendable, Equatable {
    package var name = ""
    package var password = ""
    package var availability = Availability.unknown
    package var status = Status.editing

    package enum Availability: Sendable, Equatable {
        case unknown
        case available
        case taken
    }

    package enum Status: Sendable, Equatable {
        case editing
        case submitting
        case signedIn
        case refused(String)
    }

    package enum Event: Sendable, Equatable {
        case typed(name: String)
        case checked(Availability)
        case submit
        case answered(String?)
    }

    package init(password: String = "") {
        self.password = password
    }

    package var isNameValid: Bool { name.count >= 3 && name.allSatisfy(\.isLetter) }
    package var isPasswordValid: Bool { password.count >= 8 }
    package var canSubmit: Bool {
        isPasswordValid && availability == .available && status != .submitting && status != .signedIn
    }

    package static let reducer = Reducer<Event, SignIn>.reduce { event, form in
        switch event {
        case .typed(let name):
            form.name = name
            form.availability = .unknown
            form.status = .editing
        case .checked(let availability): form.availability = availability
        case .submit: if form.canSubmit { form.status = .submitting }
        case .answered(let refusal): form.status = refusal.map { .refused($0) } ?? .signedIn
        }
    }

    /// Asks whether the name is free, once the user has stopped typing. Each letter cancels the question before.
    package static func checking(
        with isFree: @escaping @Sendable (String) async throws -> Bool
    ) -> Feedback<SignIn, Event> {
        Feedback(skippingRepeated: { $0.isNameValid ? $0.name : nil }) { name in
            .task { _ in
                .checked(try await isFree(name) ? .available : .taken)
            } catchErrors: { _ in
                .checked(.unknown)
            }
            .delay(for: .milliseconds(300))
        }
    }

    /// Signs in when the form is submitted. The name that was typed then counts.
    package static func submitting(
        with signIn: @escaping @Sendable (_ name: String, _ password: String) async throws -> Void
    ) -> Feedback<SignIn, Event> {
        Feedback(whenBecomesTrue: { $0.status == .submitting }) { form in
            .task { _ in
                try await signIn(form.name, form.password)
                return .answered(nil)
            } catchErrors: { error in
                .answered("\(error)")
            }
        }
    }
}

extension Context<SignIn, SignIn.Event> {
    /// What is on the screen.
    package var screen: String {
        let mark =
            switch self.availability {
            case .unknown: self.isNameValid ? "…" : "at least three letters"
            case .available: "✓"
            case .taken: "✗ taken"
            }
        let button =
            switch self.status {
            case .editing: self.canSubmit ? "[ Sign in ]" : "  Sign in  "
            case .submitting: "[ … ]"
            case .signedIn: "Welcome, \(self.name)."
            case .refused(let reason): "✗ \(reason)"
            }
        return """
              name      \(self.name) \(mark)
              password  \(String(repeating: "•", count: self.password.count)) \(self.isPasswordValid ? "✓" : "at least eight characters")
              \(button)
            """
    }
}
