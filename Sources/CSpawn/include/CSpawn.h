#pragma once

// Starts a process that inherits nothing from the server. In C because Swift's Glibc module lacks the GNU extensions of
// posix_spawn.

#include <sys/types.h>

/// A started process and the caller's ends of its pipes.
typedef struct {
    pid_t pid;
    /// The descriptor that writes to its standard input.
    int input;
    /// The descriptor that reads its standard output.
    int output;
} earshot_child;

/// Starts `path` with two pipes, standard error discarded, no other descriptors, the working folder `/`, default signal
/// handlers, and its own process group, so that Ctrl-C in the terminal does not reach it. Returns 0 or an errno.
int earshot_spawn(const char *path, char *const arguments[], char *const environment[], earshot_child *child);
