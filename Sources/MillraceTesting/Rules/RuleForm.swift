// SPDX-License-Identifier: Apache-2.0

/// The form in which a middleware is given to a store.
enum RuleForm: CaseIterable {
    case alone, lifted, erased

    var text: String {
        switch self {
        case .alone: "alone"
        case .lifted: "lifted by functions that change nothing"
        case .erased: "erased to AnyMiddleware"
        }
    }
}
