import Foundation

/// Writes a line to standard output at once: `print` keeps it back where nobody sits at a terminal, and a script waits for it.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
