#define _GNU_SOURCE
#include "slow_flush.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef int (*flush)(int);

static flush real_fsync, real_fdatasync;
static long delay_us;
static _Atomic int64_t *count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    real_fsync = (flush)dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = (flush)dlsym(RTLD_NEXT, "fdatasync");
    const char *delay = getenv("SLOW_FLUSH_US"), *path = getenv("SLOW_FLUSH_COUNT");
    delay_us = delay ? atol(delay) : 0;
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) count = memory;
    close(file);
}

static void slow(void)
{
    pthread_once(&once, prepare);
    if (count) atomic_fetch_add(count, 1);
    struct timespec rest = { delay_us / 1000000, delay_us % 1000000 * 1000 };
    while (nanosleep(&rest, &rest) != 0) continue;
}

int fsync(int descriptor)
{
    slow();
    return real_fsync(descriptor);
}

int fdatasync(int descriptor)
{
    slow();
    return real_fdatasync(descriptor);
}
