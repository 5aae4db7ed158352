// The only code that decodes untrusted bytes: one recording from standard input, its MP3, length and waveform to standard output, then exit.
// Docs: docs/decisions/ and SECURITY.md. `--probe NAME` tries to leave the sandbox instead, for the tests.

import Glibc

exit(Worker.run(Array(CommandLine.arguments.dropFirst())))
