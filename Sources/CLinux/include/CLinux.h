// What Linux has and Swift's Glibc module lacks. Nothing else belongs here.
#ifndef HUBBUB_CLINUX_H
#define HUBBUB_CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>


// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC. `peer` has room for `length` bytes, a sockaddr_storage. Untyped, because
// including sys/socket.h here would make this module, and not Glibc, the owner of its types.
int clinux_accept(int listener, void *peer, unsigned int *length);

// The calling thread's name as `top -H` shows it: 15 bytes at most.
void clinux_name_thread(const char *name);

// One pointer per thread, null at first: the event loop that the thread runs.
void *clinux_thread_owner(void);
void clinux_set_thread_owner(void *owner);

// The number of processors that this process may use, at least 1.
int clinux_usable_processors(void);

#endif
