// Loaded into a server by LD_PRELOAD: makes every flush of a file slower, and counts the flushes.
// SLOW_FLUSH_US: microseconds added to each. SLOW_FLUSH_COUNT: a file of 8 bytes that holds the count.
#ifndef SLOW_FLUSH_H
#define SLOW_FLUSH_H

int fsync(int descriptor);
int fdatasync(int descriptor);

#endif
