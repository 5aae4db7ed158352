// What Swift cannot import by itself from Linux and OpenSSL: macros, and headers outside the Glibc module.
#ifndef CLOAD_H
#define CLOAD_H

#include <errno.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

/// epoll_pwait2: a wait with nanoseconds. -1 waits for ever.
int cload_wait(int epoll, struct epoll_event *events, int capacity, int64_t nanoseconds);
/// epoll_ctl with the descriptor as its own datum.
int cload_watch(int epoll, int operation, int descriptor, uint32_t events);
int cload_ready_descriptor(const struct epoll_event *event);

/// A TCP socket without Nagle's delay, bound to the source address 127.0.0.0 + `host` (24 bits; 0: any) and connected,
/// or connecting where `blocking` is 0. `receive_buffer` 0: the system's. Less than 0: -errno.
int cload_connect(uint16_t port, uint32_t host, int blocking, int receive_buffer);
/// The next close sends RST, as a lost network looks to a server that hears of it at last.
void cload_drop_on_close(int descriptor);
/// TCP payload bytes as the kernel counts them, sent and received.
int cload_counted_bytes(int descriptor, uint64_t *sent, uint64_t *received);

/// A client context for TLS 1.3 only, key share X25519, which believes any certificate: it measures, it does not trust.
SSL_CTX *cload_tls_context(void);
void cload_tls_name(SSL *session, const char *name);

/// CPU time of a process, all threads that live or ended, in nanoseconds. Less than 0: there is none.
int64_t cload_cpu(pid_t process);
/// Lets this thread, and what it starts from now on, run on one core only; -1: on all. Not 0: refused.
int cload_pin(int core);
int cload_cores(void);
/// Starts a program, output to a file. Returns its id, or -errno.
pid_t cload_spawn(const char *path, char *const arguments[], char *const environment[], int output);
/// memmem.
const void *cload_find(const void *bytes, size_t count, const void *mark, size_t length);
/// Every printed line goes out at once, to a pipe too.
void cload_print_by_line(void);
/// As many descriptors as the system gives us. Returns how many.
int64_t cload_raise_descriptors(void);

#endif
