#define _GNU_SOURCE
#include "CSandbox.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

// Each probe returns what its system call returns: a value below 0 means that it was refused, and errno says why.

static long tcp(void) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
    return socket_fd < 0 ? -1 : connect(socket_fd, (struct sockaddr *)&there, sizeof there);
}
static long unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static long connect_input(void) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connect(0, (struct sockaddr *)&there, sizeof there);
}
static long open_passwd(void) { return open("/etc/passwd", O_RDONLY); }
static long open_self(void) { return open("/proc/self/exe", O_RDONLY); }
static long create_file(void) { return open("/tmp/earshot-probe", O_CREAT | O_WRONLY, 0600); }
static long list_folder(void) { return open("/", O_RDONLY | O_DIRECTORY); }
static long unlink_file(void) { return unlink("/tmp/earshot-probe"); }
static long exec_true(void) { return execl("/bin/true", "true", (char *)NULL); }
static long fork_child(void) { return fork(); }
static long vfork_raw(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static long kill_parent(void) { return kill(getppid(), 0); }
static long trace_me(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }
static long new_namespace(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET); }
static long mount_tmpfs(void) { return mount("none", "/", "tmpfs", 0, NULL); }
static long read_other(void) { char byte; return read(3, &byte, 1); }
static long duplicate(void) { return dup(0); }
static long become_root(void) { return setresuid(0, 0, 0); }
static long map_executable(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1 : 0;
}
static long make_executable(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? 0 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
static long raise_limit(void) { return syscall(SYS_prlimit64, 0, 0, NULL, NULL); }
static long io_uring(void) { return syscall(SYS_io_uring_setup, 1, NULL); }
static long allocate(void) {
    // Volatile: an optimizing compiler would leave an unused block out.
    volatile char *block = malloc((size_t)2 << 30);
    if (!block) return -1;
    for (size_t i = 0; i < (size_t)2 << 30; i += 4096) block[i] = 1;
    return 0;
}
static long spin(void) { for (volatile unsigned long turns = 0;; turns++) {} }
static long endless_output(void) {
    static char block[4096];
    for (;;) if (write(1, block, sizeof block) < 0) return -1;
}

static const struct { const char *name; long (*attempt)(void); } PROBES[] = {
    {"tcp", tcp}, {"unix-socket", unix_socket}, {"connect-input", connect_input}, {"open-passwd", open_passwd},
    {"open-self", open_self}, {"create-file", create_file}, {"list-folder", list_folder}, {"unlink", unlink_file},
    {"exec", exec_true}, {"fork", fork_child}, {"clone", vfork_raw}, {"kill-parent", kill_parent},
    {"ptrace", trace_me}, {"namespace", new_namespace}, {"mount", mount_tmpfs}, {"read-other", read_other},
    {"dup", duplicate}, {"root", become_root}, {"map-executable", map_executable},
    {"make-executable", make_executable}, {"raise-limit", raise_limit}, {"io-uring", io_uring},
    {"allocate-2gb", allocate}, {"spin", spin}, {"endless-output", endless_output},
};

int earshot_probe(const char *name) {
    for (size_t i = 0; i < sizeof PROBES / sizeof *PROBES; i++) {
        if (strcmp(PROBES[i].name, name) != 0) continue;
        errno = 0;
        return PROBES[i].attempt() >= 0 ? 0 : errno;
    }
    return -1;
}

const char *earshot_probe_name(size_t index) {
    return index < sizeof PROBES / sizeof *PROBES ? PROBES[index].name : NULL;
}
