// SPDX-License-Identifier: Apache-2.0

// Without its trait, this module cannot import the package that it needs. This file sorts by its name before the files
// with that import, so the compiler reports this error first.
#if !JournalCommand
    #error("MillraceJournalCommand is off: add \"JournalCommand\" to the traits of the dependency on millrace")
    #error("If your package does not use it, SwiftPM has kept the plan of another command: run 'touch Package.swift'")
#endif
