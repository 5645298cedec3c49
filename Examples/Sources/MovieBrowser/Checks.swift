// SPDX-License-Identifier: Apache-2.0

/// What has to be true, so that continuous integration notices when it is not.
struct Checks {
    private(set) var failed = 0

    mutating func expect(_ claim: String, _ holds: () -> Bool) {
        let isTrue = holds()
        if !isTrue { failed += 1 }
        print(isTrue ? "  ✓ \(claim)" : "  ✗ NOT TRUE: \(claim)")
    }
}
