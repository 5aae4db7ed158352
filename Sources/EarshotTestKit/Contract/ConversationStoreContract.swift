/// What every adapter of `ConversationStore` promises. Run each check with a database of its own.
public enum ConversationStoreContract<Subject: StoreUnderTest> {
    /// The checks of all suites, one suite for each subject.
    public static var checks: [ContractCheck<Subject>] {
        ConversationLogContract<Subject>.checks + FeedContract<Subject>.checks + WatermarkContract<Subject>.checks
            + PlaybackContract<Subject>.checks + ScanVerdictContract<Subject>.checks
            + ConversationReadsContract<Subject>.checks
    }
}
