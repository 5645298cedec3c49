// SPDX-License-Identifier: Apache-2.0

// Without its trait, this module misses the package that it imports. The name of this file sorts it before the files
// with the imports, so that the compiler reports this error first.
#if !Logging
    #error("MillraceLogging is off: add \"Logging\" to the traits of the dependency on millrace")
    #error("If your package does not use it, SwiftPM has kept the plan of another command: run 'touch Package.swift'")
#endif
