// Linux calls missing from Swift's Glibc module. Nothing else belongs here.
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

// Sets the calling thread's name, shown by `top -H`; at most 15 bytes.
void clinux_name_thread(const char *name);

// One pointer per thread, initially null: the event loop of the thread.
void *clinux_thread_owner(void);
void clinux_set_thread_owner(void *owner);

// The number of processors available to this process, at least 1.
int clinux_usable_processors(void);

#endif
