#pragma once

// The media worker's sandbox, and the attempts to break out of it that prove it holds. In C because seccomp, capabilities and raw system calls have
// no Swift face. Nothing in here allocates after the filter is loaded.

#include <stddef.h>
#include <stdint.h>

/// What a worker may use up.
typedef struct {
    uint64_t cpu_seconds;
    /// Address space that may be added to what the process has when it enters.
    uint64_t memory_bytes;
} earshot_sandbox_limits;

/// Which step failed; 0 means that the process is inside.
typedef enum {
    EARSHOT_SANDBOX_OK = 0,
    EARSHOT_SANDBOX_DESCRIPTORS,
    EARSHOT_SANDBOX_LIMITS,
    EARSHOT_SANDBOX_IDENTITY,
    EARSHOT_SANDBOX_CAPABILITIES,
    EARSHOT_SANDBOX_PARENT,
    EARSHOT_SANDBOX_SECCOMP,
} earshot_sandbox_step;

/// Enters for good: after this the process reads descriptor 0, writes 1 and 2, uses memory and time, and nothing else. `parent` is the process whose
/// death ends this one; 0 if there is none to follow.
earshot_sandbox_step earshot_sandbox_enter(earshot_sandbox_limits limits, int parent);

/// Tries one forbidden thing and returns what the kernel said: 0 if it was allowed, else the errno. Many end the process instead. -1: no such probe.
int earshot_probe(const char *name);

/// The name of the probe at `index`, or NULL behind the last.
const char *earshot_probe_name(size_t index);
