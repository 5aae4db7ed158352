#pragma once

// Starting a process with nothing of ours. In C because Swift's Glibc does not show the GNU parts of posix_spawn.

#include <sys/types.h>

/// A started process and our ends of its pipes.
typedef struct {
    pid_t pid;
    /// Where we write its standard input.
    int input;
    /// Where we read its standard output.
    int output;
} earshot_child;

/// Starts `path` with two pipes, no standard error, no other descriptor, the folder `/`, fresh signals and a process group of its own (Ctrl-C at our
/// terminal is for us alone). 0, or what went wrong (an errno).
int earshot_spawn(const char *path, char *const arguments[], char *const environment[], earshot_child *child);
