import Configuration
import EarshotCore
import EarshotMedia

extension ServerConfiguration {
    /// The worker pool as configured; `DescriptorBudget` may allow fewer workers.
    var pool: WorkerPool.Settings {
        var settings = WorkerPool.Settings(executable: worker.path)
        if let mediaWorkers { settings.maxWorkers = mediaWorkers }
        if let mediaMemory { settings.memoryBudget = mediaMemory }
        return settings
    }
}

extension ErrorCollector {
    private static let mebibyte = 1 << 20
    private static let limitRange = 1...1_000_000_000

    /// The space that uploads leave free, in MiB; by default the larger of 1 GiB and 5 % of the volume.
    mutating func reserve(_ text: String?) -> SpaceReserve {
        guard text != nil else { return SpaceReserve() }
        let mebibytes = number(text, "EARSHOT_MEDIA_RESERVE", in: 0...Self.limitRange.upperBound, default: 0)
        return SpaceReserve(bytes: mebibytes * Self.mebibyte, percent: 0)
    }

    /// The memory that media workers may use together, in MiB.
    mutating func memory(_ text: String?) -> Int? {
        text.map { number($0, "EARSHOT_MEDIA_MEMORY", in: 64...1_000_000, default: 64) * Self.mebibyte }
    }

    /// The limits on uploaded bytes, in MiB.
    mutating func uploadLimits(_ reader: ConfigReader) -> UploadLimits {
        var limits = UploadLimits()
        limits.addressBytesPerDay = bytes(reader, "address", limits.addressBytesPerDay)
        limits.appBytesPerDay = bytes(reader, "app", limits.appBytesPerDay)
        limits.accountBytesPerDay = bytes(reader, "brand", limits.accountBytesPerDay)
        limits.accountBytes = bytes(reader, "stored", limits.accountBytes)
        return limits
    }

    private mutating func bytes(_ reader: ConfigReader, _ name: String, _ standard: Int) -> Int {
        let text = reader.string(forKey: ConfigKey(["upload", "limit", name]))
        let variable = "EARSHOT_UPLOAD_LIMIT_\(name.uppercased())"
        return number(text, variable, in: Self.limitRange, default: standard / Self.mebibyte) * Self.mebibyte
    }
}
