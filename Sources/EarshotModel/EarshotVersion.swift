/// The version of this build of Earshot.
public enum EarshotVersion {
    /// The version by SemVer, as CHANGELOG.md has it. `ready` says it to every client.
    public static let current = "0.1.0"
}
