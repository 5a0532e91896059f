// Defined here: in the header it would reach every importer and break debug builds.
#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>

int clinux_accept(int listener, void *peer, unsigned int *length) {
  return accept4(listener, peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static _Thread_local void *owner_of_this_thread;

void *clinux_thread_owner(void) { return owner_of_this_thread; }

void clinux_set_thread_owner(void *owner) { owner_of_this_thread = owner; }

int clinux_usable_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}
