/*
 * Faults for a process that loads this library first (LD_PRELOAD): writes of a database fail, and the
 * clock of the day is off. The file that TEST_FAULTS names says which, at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  int64_t write_errno; /* 0: writes succeed */
  int64_t clock_offset_seconds;
};

static volatile struct control *control;

__attribute__((constructor)) static void map_control(void) {
  const char *path = getenv("TEST_FAULTS");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) control = mapped;
}

/* Only files of the database fail: its name, or the name with -wal or -shm. */
static int fails(int file) {
  if (control == NULL || control->write_errno == 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, ".db") == NULL) return 0;
  errno = (int)control->write_errno;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return fails(file) ? -1 : NEXT(pwrite64)(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return fails(file) ? -1 : NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  return fails(file) ? -1 : NEXT(write)(file, bytes, count);
}

int fsync(int file) { return fails(file) ? -1 : NEXT(fsync)(file); }

int fdatasync(int file) { return fails(file) ? -1 : NEXT(fdatasync)(file); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = NEXT(clock_gettime)(clock, now);
  int is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result == 0 && is_wall && control != NULL) now->tv_sec += control->clock_offset_seconds;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  int result = NEXT(gettimeofday)(now, zone);
  if (result == 0 && control != NULL) now->tv_sec += control->clock_offset_seconds;
  return result;
}
