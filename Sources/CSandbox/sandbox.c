#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
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

// Namespaces are a second line of defence. If the host forbids them, the filter and the limits still apply.
static void enter_namespaces(void) {
    int spaces = CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWPID;
    if (geteuid() != 0) spaces |= CLONE_NEWUSER;
    if (unshare(spaces) != 0) return;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    if (mount("none", "/proc", "tmpfs", flags, "size=4k,nr_inodes=1") != 0) return;
    if (chdir("/proc") == 0 && chroot(".") == 0 && chdir("/") == 0) return;
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

earshot_sandbox_step earshot_sandbox_enter(earshot_sandbox_limits limits, int parent) {
    if (syscall(SYS_close_range, FIRST_FOREIGN_DESCRIPTOR, ~0U, 0) != 0) return EARSHOT_SANDBOX_DESCRIPTORS;
    uint64_t known = address_space();
    if (!known) return EARSHOT_SANDBOX_LIMITS;
    enter_namespaces();
    if (become_nobody() != 0) return EARSHOT_SANDBOX_IDENTITY;
    if (drop_capabilities() != 0) return EARSHOT_SANDBOX_CAPABILITIES;
    if (follow_parent(parent) != 0) return EARSHOT_SANDBOX_PARENT;
    if (set_limits(limits, known) != 0) return EARSHOT_SANDBOX_LIMITS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return EARSHOT_SANDBOX_SECCOMP;
    return earshot_seccomp_load();
}
