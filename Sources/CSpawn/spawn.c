#define _GNU_SOURCE
#include "CSpawn.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static const int FIRST_FOREIGN_DESCRIPTOR = 3;

static int add_actions(posix_spawn_file_actions_t *actions, int input, int output) {
    return posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO)
        || posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO)
        || posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        || posix_spawn_file_actions_addclosefrom_np(actions, FIRST_FOREIGN_DESCRIPTOR)
        || posix_spawn_file_actions_addchdir_np(actions, "/");
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    return posix_spawnattr_setsigmask(attributes, &none) || posix_spawnattr_setsigdefault(attributes, &all)
        || posix_spawnattr_setpgroup(attributes, 0)
        || posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int spawn(const char *path, char *const arguments[], char *const environment[], int input, int output,
                 pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        failed = add_actions(&actions, input, output) || set_attributes(&attributes)
            ? ENOMEM : posix_spawn(pid, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static void close_both(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

int earshot_spawn(const char *path, char *const arguments[], char *const environment[], earshot_child *child) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0) return errno;
    if (pipe2(from, O_CLOEXEC) != 0) {
        int failed = errno;
        close_both(to);
        return failed;
    }
    int failed = spawn(path, arguments, environment, to[0], from[1], &child->pid);
    if (failed) {
        close_both(to);
        close_both(from);
        return failed;
    }
    close(to[0]);
    close(from[1]);
    child->input = to[1];
    child->output = from[0];
    return 0;
}
