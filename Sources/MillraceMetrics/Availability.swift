// SPDX-License-Identifier: Apache-2.0

// If the trait is off, the package that this module imports is not there. The name of this file sorts it before the
// files with the imports, so that the compiler reports this error first.
#if !Metrics
    #error("MillraceMetrics is off: add \"Metrics\" to the traits of the dependency on millrace")
    #error("If your package does not use it, SwiftPM has kept the plan of another command: run 'touch Package.swift'")
#endif
