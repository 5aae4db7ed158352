import EarshotGateway

#if canImport(Glibc)
    import Glibc
#endif

/// The process's limit of open files (`RLIMIT_NOFILE`).
enum OpenFileLimit {
    /// The soft limit now, and the limit up to which this process may raise it.
    static var current: (soft: Int, hard: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (0, 0) }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// Raises the soft limit to the hard one, but not beyond what the server can use: services and shells usually start
    /// with 1,024.
    /// - Returns: the soft limit from now on.
    @discardableResult
    static func raise() -> Int {
        let (soft, hard) = current
        let wanted = min(hard, DescriptorBudget.mostDescriptors)
        guard soft < wanted else { return soft }
        var limit = rlimit(rlim_cur: rlim_t(wanted), rlim_max: rlim_t(hard))
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? wanted : soft
    }
}
