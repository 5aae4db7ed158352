#define _GNU_SOURCE
#include "CLoad.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int cload_wait(int epoll, struct epoll_event *events, int capacity, int64_t nanoseconds) {
    struct timespec wait = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return epoll_pwait2(epoll, events, capacity, nanoseconds < 0 ? NULL : &wait, NULL);
}

int cload_watch(int epoll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int cload_ready_descriptor(const struct epoll_event *event) { return event->data.fd; }

int cload_connect(uint16_t port, uint32_t host, int blocking, int receive_buffer) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
    if (descriptor < 0) return -errno;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (receive_buffer > 0) setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    int failed = 0;
    if (host != 0) {
        setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        struct sockaddr_in source = {.sin_family = AF_INET, .sin_addr = {htonl(0x7F000000u | host)}};
        failed = bind(descriptor, (struct sockaddr *)&source, sizeof source);
    }
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (!failed) failed = connect(descriptor, (struct sockaddr *)&target, sizeof target);
    if (!failed || (!blocking && errno == EINPROGRESS)) return descriptor;
    failed = errno;
    close(descriptor);
    return -failed;
}

void cload_drop_on_close(int descriptor) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

int cload_counted_bytes(int descriptor, uint64_t *sent, uint64_t *received) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -errno;
    *sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    *received = info.tcpi_bytes_received;
    return 0;
}

SSL_CTX *cload_tls_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set1_groups_list(context, "X25519");
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    // Idle sessions must not cost the load client more than they cost a browser.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                                  | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return context;
}

void cload_tls_name(SSL *session, const char *name) { SSL_set_tlsext_host_name(session, name); }

int64_t cload_cpu(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int cload_cores(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }

int cload_pin(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int each = 0; each < cload_cores(); each++)
        if (core < 0 || each == core) CPU_SET(each, &cores);
    return sched_setaffinity(0, sizeof cores, &cores);
}

pid_t cload_spawn(const char *path, char *const arguments[], char *const environment[], int output) {
    pid_t process = vfork();
    if (process != 0) return process < 0 ? -errno : process;
    // In the child only async-signal-safe calls are allowed. It dies with its parent.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    execve(path, arguments, environment);
    _exit(127);
}

const void *cload_find(const void *bytes, size_t count, const void *mark, size_t length) {
    return memmem(bytes, count, mark, length);
}

void cload_print_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int64_t cload_raise_descriptors(void) {
    struct rlimit limit = {65536, 65536};
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0) return 65536;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return (int64_t)limit.rlim_cur;
}
