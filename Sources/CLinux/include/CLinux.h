// What Linux has and Swift's Glibc module lacks. Nothing else belongs here.
#ifndef HUBBUB_CLINUX_H
#define HUBBUB_CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>


// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC.
int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *length);

// The calling thread's name as `top -H` shows it: 15 bytes at most.
void clinux_name_thread(const char *name);

// One pointer per thread, null at first: the event loop that the thread runs.
void *clinux_thread_owner(void);
void clinux_set_thread_owner(void *owner);

// The number of processors that this process may use, at least 1.
int clinux_usable_processors(void);

#endif
