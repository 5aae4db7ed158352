#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

earshot_sandbox_step earshot_seccomp_load(void);

static const unsigned NOBODY = 65534;
static const unsigned FIRST_FOREIGN_DESCRIPTOR = 3;

// The address space in use now, read before /proc is hidden.
static uint64_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    int found = fscanf(file, "%lu", &pages);
    fclose(file);
    return found == 1 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static int limit(int resource, uint64_t value) {
    struct rlimit both = {value, value};
    return setrlimit(resource, &both);
}

static int set_limits(earshot_sandbox_limits limits, uint64_t used) {
    return limit(RLIMIT_AS, used + limits.memory_bytes) || limit(RLIMIT_CPU, limits.cpu_seconds)
        || limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_NPROC, 0) || limit(RLIMIT_CORE, 0)
        || limit(RLIMIT_NOFILE, FIRST_FOREIGN_DESCRIPTOR) || limit(RLIMIT_MEMLOCK, 0) || limit(RLIMIT_MSGQUEUE, 0);
}

// When memory is short, the kernel ends a worker and never the server; and a batch process does not interrupt one that
// answers people. Both are courtesies: a refusal is no error.
static void step_back(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t written = write(file, "1000", 4);
        (void)written;
        close(file);
    }
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_BATCH, &none);
}

static const struct { int space; unsigned wall; } SPACES[] = {
    {CLONE_NEWUSER, EARSHOT_WALL_USER_NAMESPACE}, {CLONE_NEWNET, EARSHOT_WALL_NETWORK_NAMESPACE},
    {CLONE_NEWIPC, EARSHOT_WALL_IPC_NAMESPACE}, {CLONE_NEWUTS, EARSHOT_WALL_UTS_NAMESPACE},
    {CLONE_NEWNS, EARSHOT_WALL_MOUNT_NAMESPACE}, {CLONE_NEWPID, EARSHOT_WALL_PID_NAMESPACE},
};

// All at once, because only the user namespace allows the others to a process without privileges. If the host forbids
// one of them, each that it allows.
static unsigned unshare_spaces(void) {
    unsigned walls = 0;
    int spaces = 0;
    for (size_t i = geteuid() == 0 ? 1 : 0; i < sizeof SPACES / sizeof *SPACES; i++) {
        spaces |= SPACES[i].space;
        walls |= SPACES[i].wall;
    }
    if (unshare(spaces) == 0) return walls;
    walls = 0;
    for (size_t i = geteuid() == 0 ? 1 : 0; i < sizeof SPACES / sizeof *SPACES; i++)
        if (unshare(SPACES[i].space) == 0) walls |= SPACES[i].wall;
    return walls;
}

// Namespaces are a second line of defence. If the host forbids them, the filter and the limits still apply.
static unsigned enter_namespaces(void) {
    unsigned walls = unshare_spaces();
    if (!(walls & EARSHOT_WALL_MOUNT_NAMESPACE)) return walls;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return walls;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    if (mount("none", "/proc", "tmpfs", flags, "size=4k,nr_inodes=1") != 0) return walls;
    if (chdir("/proc") == 0 && chroot(".") == 0 && chdir("/") == 0) walls |= EARSHOT_WALL_EMPTY_ROOT;
    return walls;
}

static int become_nobody(void) {
    if (geteuid() != 0) return 0;
    if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0) return -1;
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0) return -1;
    return getuid() == NOBODY && geteuid() == NOBODY && getgid() == NOBODY ? 0 : -1;
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return (int)syscall(SYS_capset, &header, none);
}

// PR_SET_PDEATHSIG does not report a parent that has died already; the changed parent id shows that.
static int follow_parent(int parent) {
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    if (!parent) return 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
    return getppid() == parent ? 0 : -1;
}

earshot_sandbox_step earshot_sandbox_enter(earshot_sandbox_limits limits, int parent, unsigned *walls) {
    step_back();
    if (syscall(SYS_close_range, FIRST_FOREIGN_DESCRIPTOR, ~0U, 0) != 0) return EARSHOT_SANDBOX_DESCRIPTORS;
    uint64_t known = address_space();
    if (!known) return EARSHOT_SANDBOX_LIMITS;
    *walls = enter_namespaces();
    if (become_nobody() != 0) return EARSHOT_SANDBOX_IDENTITY;
    if (drop_capabilities() != 0) return EARSHOT_SANDBOX_CAPABILITIES;
    if (follow_parent(parent) != 0) return EARSHOT_SANDBOX_PARENT;
    if (set_limits(limits, known) != 0) return EARSHOT_SANDBOX_LIMITS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return EARSHOT_SANDBOX_SECCOMP;
    *walls |= EARSHOT_WALL_NO_NEW_PRIVILEGES;
    earshot_sandbox_step failed = earshot_seccomp_load();
    if (failed == EARSHOT_SANDBOX_OK) *walls |= EARSHOT_WALL_SECCOMP;
    return failed;
}
