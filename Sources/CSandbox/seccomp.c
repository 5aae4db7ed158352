#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>

earshot_sandbox_step earshot_seccomp_load(void);

#define ALLOW SCMP_ACT_ALLOW
#define KILL SCMP_ACT_KILL_PROCESS

// What decoding needs: memory, locks, the clock and exit. Every call that is not listed is refused with EPERM.
static const int HARMLESS[] = {
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(exit),
    SCMP_SYS(exit_group), SCMP_SYS(clock_gettime), SCMP_SYS(rt_sigreturn), SCMP_SYS(getrandom),
    SCMP_SYS(restart_syscall),
};

// What no decoder does by accident: these calls end the process at once.
static const int HOSTILE[] = {
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(sendto),
    SCMP_SYS(sendmsg), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone),
    SCMP_SYS(clone3), SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(unshare), SCMP_SYS(setns),
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(bpf),
    SCMP_SYS(io_uring_setup), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open),
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(kexec_load), SCMP_SYS(reboot), SCMP_SYS(swapon),
    SCMP_SYS(setuid), SCMP_SYS(setresuid),
};

static int add_all(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (seccomp_rule_add(filter, action, calls[i], 0) != 0) return -1;
    return 0;
}

static int add_descriptors(scmp_filter_ctx filter) {
    return seccomp_rule_add(filter, ALLOW, SCMP_SYS(read), 1, SCMP_A0(SCMP_CMP_EQ, 0))
        || seccomp_rule_add(filter, ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, 1))
        || seccomp_rule_add(filter, ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, 2));
}

// Anonymous memory that is not executable.
static int add_memory(scmp_filter_ctx filter) {
    return seccomp_rule_add(filter, ALLOW, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS))
        || seccomp_rule_add(filter, ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

earshot_sandbox_step earshot_seccomp_load(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return EARSHOT_SANDBOX_SECCOMP;
    int failed = add_all(filter, ALLOW, HARMLESS, sizeof HARMLESS / sizeof *HARMLESS)
        || add_all(filter, KILL, HOSTILE, sizeof HOSTILE / sizeof *HOSTILE)
        || add_descriptors(filter) || add_memory(filter);
    int refused = failed ? -ENOMEM : seccomp_load(filter);
    failed = refused != 0;
    seccomp_release(filter);
    if (failed) errno = -refused;
    return failed ? EARSHOT_SANDBOX_SECCOMP : EARSHOT_SANDBOX_OK;
}
