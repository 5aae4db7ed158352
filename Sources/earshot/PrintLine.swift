import Foundation

/// Writes a line to standard output without buffering. `print` buffers if standard output is not a terminal, and
/// scripts wait for the line.
func printLine(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
