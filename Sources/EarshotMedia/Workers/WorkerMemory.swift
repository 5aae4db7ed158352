import Glibc

/// How much memory the media workers use together, and how much they may.
///
/// Each worker has its own limit, which a recording cannot cross. All of them at their limit would be more than most
/// machines have: over the budget no recording that is still arriving gets a worker, and the largest worker is ended.
enum WorkerMemory {
    private static let residentField = 1
    private static let sharedField = 2

    /// A quarter of the machine's memory, or of the limit of this service's control group.
    static func standardBudget() -> Int {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(machine, groupLimit() ?? machine) / 4
    }

    /// The bytes that only this process uses: without the libraries, which all workers share. 0 if it is gone.
    static func used(by pid: pid_t) -> Int {
        let fields = read("/proc/\(pid)/statm").split(separator: " ").compactMap { Int($0) }
        guard fields.count > sharedField else { return 0 }
        return max(0, fields[residentField] - fields[sharedField]) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func groupLimit() -> Int? {
        let line = read("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::") }
        guard let path = line?.dropFirst("0::".count) else { return nil }
        return Int(read("/sys/fs/cgroup\(path)/memory.max").filter { $0 != "\n" })
    }

    private static func read(_ path: String) -> String {
        guard let bytes = try? OpenFile(reading: path).read(4096, at: 0) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
