// A file layer between the program and the disk, put there with LD_PRELOAD. It writes down what the program asks of the
// files of one folder, so that a power cut can be played afterwards; and it can fail those requests, and move the clock.
//
//   HUBBUB_LAYER_FOLDER    only files below it are looked at
//   HUBBUB_LAYER_TRACE     where the record goes; none is kept without it
//   HUBBUB_LAYER_CONTROL   a file of 64 bytes that says what fails (struct control)
//
// Record: a head (struct entry), then `name` bytes of the file's name and `size` bytes of data. A synchronisation is
// recorded when it has succeeded. One lock holds request and record together, so the record's order is the disk's.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  int32_t disk_full;      // writes fail with ENOSPC
  int32_t sync_fails;     // fsync and fdatasync fail with EIO
  int32_t read_only;      // opening to write, and writing, fail with EROFS
  int32_t forget_syncs;   // they succeed but are not recorded, as for a program that does not wait for the disk
  int64_t clock_offset;   // nanoseconds added to the wall clock
  int64_t kill_at;        // the program is killed after this many requests that change the folder; 0: never
  int64_t requests;       // the number of requests so far, counted by the layer
  int64_t full_at;        // from this request on writes fail with ENOSPC; 0: never
};

enum kind { kind_write = 1, kind_truncate, kind_sync, kind_remove, kind_rename, kind_create };

struct entry {
  int32_t kind;
  int32_t name;
  int64_t offset;
  int64_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *folder;
static size_t folder_length;
static int trace = -1;
static struct control *control;
static struct control nothing;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_truncate)(int, off64_t);
static int (*real_sync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);
static int (*real_clock)(clockid_t, struct timespec *);

static void start(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_open = dlsym(RTLD_NEXT, "open64");
  real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_sync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_link = dlsym(RTLD_NEXT, "link");
  real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  control = &nothing;
  folder = getenv("HUBBUB_LAYER_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  const char *record = getenv("HUBBUB_LAYER_TRACE");
  if (record) trace = real_open(record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *switches = getenv("HUBBUB_LAYER_CONTROL");
  int descriptor = switches ? real_open(switches, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (page != MAP_FAILED) control = page;
    close(descriptor);
  }
}

static void ready(void) { pthread_once(&once, start); }

/// The path relative to the folder, for an absolute path; NULL for files elsewhere.
static const char *below(const char *path) {
  if (!folder || strncmp(path, folder, folder_length) != 0 || path[folder_length] != '/') return NULL;
  return path + folder_length + 1;
}

/// The same for a relative path, and for an open file.
static const char *of_path(const char *path, char *space) {
  if (path[0] == '/') return below(path);
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) return NULL;
  snprintf(space, PATH_MAX, "%s/%s", here, path);
  return below(space);
}

static const char *of_descriptor(int descriptor, char *space) {
  if (!folder) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, space, PATH_MAX - 1);
  if (length <= 0) return NULL;
  space[length] = 0;
  return below(space);
}

static void put(const void *bytes, size_t size) {
  const char *next = bytes;
  while (size > 0) {
    ssize_t written = real_write(trace, next, size);
    if (written <= 0) abort();
    next += written;
    size -= (size_t)written;
  }
}

static void record(enum kind kind, const char *name, int64_t offset, const void *data, int64_t size) {
  control->requests += 1;
  if (trace >= 0) {
    struct entry entry = {kind, (int32_t)strlen(name), offset, size};
    put(&entry, sizeof entry);
    put(name, strlen(name));
    if (data) put(data, (size_t)size);
  }
  // The request has been carried out and recorded: what a restarted program reads is what a power cut replays. The test
  // sets kill_at while requests continue, so a number already passed also triggers the kill.
  if (control->kill_at != 0 && control->requests >= control->kill_at) kill(getpid(), SIGKILL);
}

static int fails(int error) {
  errno = error;
  return -1;
}

static ssize_t written(int descriptor, const void *bytes, size_t size, off64_t offset, int at) {
  ready();
  char space[PATH_MAX];
  const char *name = of_descriptor(descriptor, space);
  if (!name) return at ? real_pwrite(descriptor, bytes, size, offset) : real_write(descriptor, bytes, size);
  if (control->read_only) return fails(EROFS);
  if (control->disk_full || (control->full_at && control->requests >= control->full_at)) return fails(ENOSPC);
  pthread_mutex_lock(&lock);
  if (!at) offset = lseek64(descriptor, 0, SEEK_CUR);
  ssize_t result = at ? real_pwrite(descriptor, bytes, size, offset) : real_write(descriptor, bytes, size);
  int error = errno;
  if (result > 0) record(kind_write, name, offset, bytes, result);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
  return written(descriptor, bytes, size, offset, 1);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  return written(descriptor, bytes, size, offset, 1);
}
ssize_t write(int descriptor, const void *bytes, size_t size) { return written(descriptor, bytes, size, 0, 0); }

int ftruncate64(int descriptor, off64_t length) {
  ready();
  char space[PATH_MAX];
  const char *name = of_descriptor(descriptor, space);
  if (name && control->read_only) return fails(EROFS);
  pthread_mutex_lock(&lock);
  int result = real_truncate(descriptor, length);
  if (name && result == 0) record(kind_truncate, name, length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int synchronised(int descriptor) {
  ready();
  char space[PATH_MAX];
  const char *name = of_descriptor(descriptor, space);
  if (!name) return real_sync(descriptor);
  if (control->sync_fails) return fails(EIO);
  pthread_mutex_lock(&lock);
  // Here the record is the disk: what it contains is durable, without waiting for the real disk.
  int result = trace < 0 ? real_sync(descriptor) : 0;
  if (result == 0 && !control->forget_syncs) record(kind_sync, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int fdatasync(int descriptor) { return synchronised(descriptor); }
int fsync(int descriptor) { return synchronised(descriptor); }

static int opened(const char *path, int flags, mode_t mode) {
  ready();
  char space[PATH_MAX];
  const char *name = of_path(path, space);
  if (!name) return real_open(path, flags, mode);
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  if (control->read_only && writes) return fails(EROFS);
  pthread_mutex_lock(&lock);
  int is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
  int descriptor = real_open(path, flags, mode);
  int error = errno;
  if (descriptor >= 0 && is_new) record(kind_create, name, 0, NULL, 0);
  if (descriptor >= 0 && (flags & O_TRUNC) && !is_new) record(kind_truncate, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags, mode);
}
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags, mode);
}

int unlink(const char *path) {
  ready();
  char space[PATH_MAX];
  const char *name = of_path(path, space);
  pthread_mutex_lock(&lock);
  int result = real_unlink(path);
  int error = errno;
  if (name && result == 0) record(kind_remove, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  ready();
  char space[PATH_MAX], other[PATH_MAX];
  const char *old = of_path(from, space), *new = of_path(to, other);
  pthread_mutex_lock(&lock);
  int result = real_rename(from, to);
  int error = errno;
  if (old && new && result == 0) record(kind_rename, old, 0, new, (int64_t)strlen(new));
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int link(const char *from, const char *to) {
  ready();
  char space[PATH_MAX];
  const char *name = of_path(to, space);
  pthread_mutex_lock(&lock);
  int result = real_link(from, to);
  int error = errno;
  // Only counted: power failures are not simulated for a restore.
  if (name && result == 0) record(kind_sync, name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  ready();
  int result = real_clock(clock, time);
  if (result == 0 && control->clock_offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanoseconds = time->tv_sec * 1000000000LL + time->tv_nsec + control->clock_offset;
    time->tv_sec = nanoseconds / 1000000000LL;
    time->tv_nsec = nanoseconds % 1000000000LL;
  }
  return result;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  value->tv_sec = now.tv_sec;
  value->tv_usec = now.tv_nsec / 1000;
  return result;
}
