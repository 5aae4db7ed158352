#pragma once

// The media worker's sandbox, and the probes that try to break out of it, for the tests. In C because seccomp,
// capabilities and raw system calls have no Swift API. Nothing here allocates memory after the filter is loaded.

#include <stddef.h>
#include <stdint.h>

/// What a worker may use.
typedef struct {
    uint64_t cpu_seconds;
    /// How much address space the process may add to what it has when it enters.
    uint64_t memory_bytes;
} earshot_sandbox_limits;

/// The step that failed; 0 if the process is inside the sandbox.
typedef enum {
    EARSHOT_SANDBOX_OK = 0,
    EARSHOT_SANDBOX_DESCRIPTORS,
    EARSHOT_SANDBOX_LIMITS,
    EARSHOT_SANDBOX_IDENTITY,
    EARSHOT_SANDBOX_CAPABILITIES,
    EARSHOT_SANDBOX_PARENT,
    EARSHOT_SANDBOX_SECCOMP,
} earshot_sandbox_step;

/// The walls around a process, as bits. The filter and the lost privileges are never missing; a host may refuse the
/// rest. Declared again, with words, in EarshotWorkerProtocol/Confinement.swift.
typedef enum {
    EARSHOT_WALL_SECCOMP = 1 << 0,
    EARSHOT_WALL_NO_NEW_PRIVILEGES = 1 << 1,
    EARSHOT_WALL_USER_NAMESPACE = 1 << 2,
    EARSHOT_WALL_NETWORK_NAMESPACE = 1 << 3,
    EARSHOT_WALL_IPC_NAMESPACE = 1 << 4,
    EARSHOT_WALL_UTS_NAMESPACE = 1 << 5,
    EARSHOT_WALL_MOUNT_NAMESPACE = 1 << 6,
    EARSHOT_WALL_PID_NAMESPACE = 1 << 7,
    EARSHOT_WALL_EMPTY_ROOT = 1 << 8,
} earshot_wall;

/// Enters the sandbox permanently and sets `walls`. After this the process can only read descriptor 0, write descriptors
/// 1 and 2, and use memory and time. It dies with the process `parent`; 0 for none. If a step fails, errno says why.
earshot_sandbox_step earshot_sandbox_enter(earshot_sandbox_limits limits, int parent, unsigned *walls);

/// Tries one forbidden operation. Returns 0 if it was allowed, else the errno, or -1 if there is no such probe. Many
/// probes end the process instead.
int earshot_probe(const char *name);

/// The name of the probe at `index`, or NULL after the last one.
const char *earshot_probe_name(size_t index);
