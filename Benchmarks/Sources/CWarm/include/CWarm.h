#pragma once

// The work that a recording costs, done by libav in this process, which has it in memory already: what the worker is
// compared with. No sandbox, no second process, no file written. Opus in WebM only.

#include <stdint.h>

/// Decodes the note, finds its peaks and its loudness, encodes it as MP3 (24 kHz, 32 kbit/s, mono). Answers the CPU
/// time in nanoseconds, or -1.
int64_t cwarm_note(const char *path);
