import EarshotMedia

extension ServerConfiguration {
    /// The worker pool as configured; `DescriptorBudget` may allow fewer workers.
    var pool: WorkerPool.Settings {
        var settings = WorkerPool.Settings(executable: worker)
        if let mediaWorkers { settings.maxWorkers = mediaWorkers }
        return settings
    }
}
