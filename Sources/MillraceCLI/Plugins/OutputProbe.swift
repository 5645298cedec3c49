// SPDX-License-Identifier: Apache-2.0

import MillraceInstrumentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Checks before a run whether its files can be written at the end. It changes no existing file.
enum OutputProbe {
    /// Returns messages about the files that cannot be written.
    static func problems(_ options: PluginOptions, pipelinePage: String? = nil) -> [String] {
        var problems: [String] = []
        func attempt(_ path: String?, _ probe: (String) throws(PluginProblem) -> Void) {
            guard let path else { return }
            do throws(PluginProblem) {
                try probe(path)
            } catch {
                problems += error.words
            }
        }
        attempt(options.report, replacing)
        // The two pages are in one folder, so one message is enough.
        if problems.isEmpty { attempt(pipelinePage, replacing) }
        attempt(options.prometheus, replacing)
        attempt(options.hgrm, folder)
        attempt(options.log, appending)
        // These files are opened as soon as all checks have passed.
        for path in [options.trace, options.recorder] { attempt(path, refusePipes) }
        return problems
    }

    /// Returns a message if a file that was written during the run is not there any more.
    static func removal(_ path: String) -> String? {
        guard access(path, F_OK) != 0 else { return nil }
        return "\(ReportFileError.cannotWrite(path: path, reason: SystemError.last.words))"
    }

    /// Checks a file that is written beside the old one and then renamed.
    private static func replacing(_ path: String) throws(PluginProblem) {
        try refusePipes(path)
        var facts = stat()
        let isThere = lstat(path, &facts) == 0
        if isThere, facts.st_mode & S_IFMT == S_IFLNK, let file = plainFile(behind: path) {
            try besides(file, named: path)
        } else if isThere, facts.st_mode & S_IFMT != S_IFREG {
            try open(path, path, O_CREAT)
        } else {
            try besides(path)
        }
    }

    /// Returns the file that a link leads to and that is replaced. Nil for pipes and devices, and for the names of open
    /// files.
    private static func plainFile(behind link: String) -> String? {
        guard !["/dev/", "/proc/"].contains(where: link.hasPrefix), let real = realpath(link, nil) else { return nil }
        defer { free(real) }
        var facts = stat()
        guard stat(real, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return String(validatingCString: real)
    }

    /// Checks the log file. It exists from the start of the run, empty or with the lines of earlier runs.
    private static func appending(_ path: String) throws(PluginProblem) {
        try refusePipes(path)
        try open(path, path, O_CREAT | O_APPEND)
    }

    private static func folder(_ path: String) throws(PluginProblem) {
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw problem(path) }
        try besides(path + "/probe", named: path)
    }

    private static func besides(_ path: String, named name: String? = nil) throws(PluginProblem) {
        let partial = "\(path).\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 36)).partial"
        try open(partial, name ?? path, O_CREAT | O_EXCL)
        unlink(partial)
    }

    /// Throws an error for a FIFO. Opening it waits until another process reads it, and signals are not noticed
    /// meanwhile. Inherited pipes, such as `/dev/stdout`, are allowed: they have a reader, and their links lead to no
    /// path.
    private static func refusePipes(_ path: String) throws(PluginProblem) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return }
        guard let real = realpath(path, nil) else { return }
        free(real)
        throw PluginProblem(["'\(path)' is a FIFO, and a run would wait for its reader. Give the path of a file."])
    }

    private static func open(_ path: String, _ name: String, _ flags: Int32) throws(PluginProblem) {
        // The same modes as those with which the files are created later.
        let mode: mode_t = flags & O_APPEND == 0 ? 0o666 : 0o640
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, flags | O_WRONLY | O_NONBLOCK | O_CLOEXEC, mode)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags | O_WRONLY | O_NONBLOCK | O_CLOEXEC, mode)
        #else
            let descriptor = Darwin.open(path, flags | O_WRONLY | O_NONBLOCK | O_CLOEXEC, mode)
        #endif
        guard descriptor >= 0 else { throw problem(name) }
        close(descriptor)
    }

    private static func problem(_ path: String) -> PluginProblem {
        PluginProblem(["\(ReportFileError.cannotCreate(path: path, reason: SystemError.last.words))"])
    }
}
