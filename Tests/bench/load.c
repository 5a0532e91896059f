// The load of bin/bench: requests in a closed loop, and streams that listen. One thread and as little work as can
// be, since it runs beside the server that it measures.
//
//   load ask PORT PLAN METHOD STATUS SECONDS CONNECTIONS
//     Each connection asks again as soon as it has its answer. A plan has a line for each request: path, a header line and
//     body, with tabs between; %u in path and body is a new UUID. Connection c takes the lines c, c + CONNECTIONS, …
//   load hear PORT PLAN METHOD STATUS STREAMS sse|plain|sync COUNT INTERVAL
//     Opens the streams of a second plan, then sends COUNT requests of the first, one each INTERVAL milliseconds, whose %n
//     is a mark that the streams are to bring. A stream is open with its `hello` event (sse) or with its head (plain).
//     `sync` polls on from its next_batch. Prints "ready" once all are open; with a COUNT of 0 it
//     then only listens, until its standard input ends.
//
// Prints one line of JSON; times are in microseconds.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { MARK = 15, TAIL = 16 };  // "mark-" and ten digits; and the part of it that may be cut off at the end of a read
typedef struct { char *path, *field, *body; } Line;
typedef struct { Line *lines; int count; } Plan;
typedef struct {
  int socket, index, is_stream, is_ready, status;
  int line;                     // of the plan, the next request
  double began;
  char *data;                   // the response so far
  size_t length, room, head;    // `head` is 0 until the response's head is complete
  long left;                    // of the body: bytes, or -1 for chunked
  char token[512];              // the position from which a sync continues
} Connection;

static struct sockaddr_in address;
static int queue;
static char *request;
static const size_t request_size = 1 << 17;
static long first_mark;  // marks start here, to distinguish them from those of an earlier run, which a room still has

static void fail(const char *why) { fprintf(stderr, "load: %s (%s)\n", why, strerror(errno)); exit(1); }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static uint64_t random_bits(void) {
  static uint64_t state;
  if (!state) state = (uint64_t)now() ^ (uint64_t)getpid() << 40;
  uint64_t value = (state += 0x9e3779b97f4a7c15);  // splitmix64
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

static Plan read_plan(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) fail(name);
  Plan plan = {0};
  char *text = NULL;
  size_t room = 0;
  while (getline(&text, &room, file) > 0) {
    text[strcspn(text, "\n")] = 0;
    char *rest = strdup(text);
    plan.lines = realloc(plan.lines, (plan.count + 1) * sizeof(Line));
    Line *line = &plan.lines[plan.count++];
    line->path = strsep(&rest, "\t");
    line->field = strsep(&rest, "\t");
    line->body = rest ? rest : "";
  }
  fclose(file);
  if (!plan.count) fail("an empty plan");
  return plan;
}

// Writes a template with its %u and %n replaced; returns its length.
static size_t fill(char *out, const char *template, long mark) {
  char *start = out;
  for (const char *at = template; *at; at++) {
    if (at[0] == '%' && at[1] == 'u') {
      uint64_t a = random_bits(), b = random_bits();
      out += sprintf(out, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
                     (unsigned)(a & 0xfff), (unsigned)(b >> 48 & 0x3fff) | 0x8000, (unsigned long long)(b & 0xffffffffffff));
      at++;
    } else if (at[0] == '%' && at[1] == 'n') {
      out += sprintf(out, "mark-%010ld", first_mark + mark);
      at++;
    } else {
      *out++ = *at;
    }
  }
  *out = 0;
  return out - start;
}

static void ask(Connection *connection, const char *method, const Line *line, long mark) {
  static char body[1 << 16], path[4096];
  fill(path, line->path, mark);
  size_t size = fill(body, line->body, mark);
  int length = snprintf(request, request_size, "%s %s%s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", method, path,
                        *connection->token ? "&since=" : "", connection->token, line->field);
  if (size) {
    length += snprintf(request + length, request_size - length,
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", size, body);
  } else {
    length += sprintf(request + length, "\r\n");
  }
  connection->length = connection->head = 0;
  connection->began = now();
  if (send(connection->socket, request, length, MSG_NOSIGNAL) != length) fail("cannot send");
}

static void dial(Connection *connection, int index, int is_stream) {
  memset(connection, 0, sizeof *connection);
  connection->index = index;
  connection->is_stream = is_stream;
  connection->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection->socket, (struct sockaddr *)&address, sizeof address)) fail("cannot connect");
  setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  connection->room = 1 << (is_stream ? 12 : 16);
  connection->data = malloc(connection->room);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, connection->socket, &event)) fail("cannot watch");
}

static void receive(Connection *connection) {
  if (connection->room - connection->length < 4096)
    connection->data = realloc(connection->data, connection->room *= 2);
  ssize_t count = recv(connection->socket, connection->data + connection->length,
                       connection->room - connection->length - 1, MSG_DONTWAIT);
  if (count == 0) fail("the server ended a connection");
  if (count < 0 && errno != EAGAIN && errno != EINTR) fail("cannot receive");
  if (count > 0) connection->length += count;
  connection->data[connection->length] = 0;
}

// Parses a response's head once it is complete; returns whether the whole response is.
static int is_whole(Connection *connection) {
  if (!connection->head) {
    char *end = strstr(connection->data, "\r\n\r\n");
    if (!end) return 0;
    *end = 0;
    connection->head = end + 4 - connection->data;
    connection->status = atoi(connection->data + 9);
    char *length = strcasestr(connection->data, "\r\nContent-Length:");
    connection->left = length ? atol(length + 17) : strcasestr(connection->data, "\r\nTransfer-Encoding:") ? -1 : 0;
  }
  size_t body = connection->length - connection->head;
  if (connection->left >= 0) return body >= (size_t)connection->left;
  return body >= 5 && !memcmp(connection->data + connection->length - 5, "0\r\n\r\n", 5);
}

static int by_size(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float quantile(float *times, long count, double share) {
  return count ? times[(long)(count * share) < count ? (long)(count * share) : count - 1] : 0;
}

static void ask_in_a_loop(Plan plan, const char *method, int status, double seconds, int count) {
  Connection *connections = calloc(count, sizeof *connections);
  long answers = 0, refused = 0, room = 1 << 20, bytes = 0;
  float *times = malloc(room * sizeof *times);
  for (int i = 0; i < count; i++) {
    dial(&connections[i], i, 0);
    connections[i].line = i;
  }
  double began = now(), end = began + seconds * 1e6, last = began;
  for (int i = 0; i < count; i++) ask(&connections[i], method, &plan.lines[i % plan.count], 0);
  for (int open = count; open;) {
    struct epoll_event events[64];
    int ready = epoll_wait(queue, events, 64, 30000);
    if (ready <= 0) fail("no answer");
    for (int i = 0; i < ready; i++) {
      Connection *connection = events[i].data.ptr;
      receive(connection);
      if (!is_whole(connection)) continue;
      last = now();
      if (answers == room) times = realloc(times, (room *= 2) * sizeof *times);
      times[answers++] = last - connection->began;
      refused += connection->status != status;
      bytes += connection->length;
      connection->line += count;
      // Pending requests are completed and counted: the last responses arrive after the end.
      if (last < end) ask(connection, method, &plan.lines[connection->line % plan.count], 0);
      else open--;
    }
  }
  qsort(times, answers, sizeof *times, by_size);
  printf("{\"answers\": %ld, \"refused\": %ld, \"seconds\": %.3f, \"bytes\": %ld, \"p50\": %.1f, \"p99\": %.1f}\n", answers,
         refused, (last - began) / 1e6, bytes, quantile(times, answers, 0.5), quantile(times, answers, 0.99));
}

// The listeners: where and when each message arrived.
typedef struct { int streams, is_sync, is_plain, ready; long count, heard; double *begun; float *times; } Ears;

// Finds the marks in a stream's new bytes, and drops these except for a tail.
static void listen_to(Connection *connection, Ears *ears, const Plan *plan) {
  receive(connection);
  if (ears->is_sync && !is_whole(connection)) return;
  double time = now();
  connection->data[connection->length] = 0;
  char *text = connection->data + (ears->is_sync ? connection->head : 0);
  for (char *at = text; (at = strstr(at, "mark-")); at += 5) {
    if (at + MARK > connection->data + connection->length) break;
    long mark = atol(at + 5) - first_mark;
    if (mark < 0 || mark >= ears->count) continue;
    float *slot = &ears->times[mark * ears->streams + connection->index];
    if (!*slot) { *slot = time - ears->begun[mark]; ears->heard++; }
  }
  if (ears->is_sync) {
    char *token = strstr(text, "\"next_batch\":\"");
    if (!token || connection->status != 200) fail("no next_batch");
    snprintf(connection->token, sizeof connection->token, "%.*s", (int)strcspn(token + 14, "\""), token + 14);
    ask(connection, "GET", &plan->lines[connection->index % plan->count], 0);
  } else {
    if (!connection->is_ready && !strstr(text, ears->is_plain ? "\r\n\r\n" : "event: hello")) return;
    size_t kept = connection->length < TAIL ? connection->length : TAIL;
    memmove(connection->data, connection->data + connection->length - kept, kept);
    connection->length = kept;
  }
  ears->ready += !connection->is_ready;
  connection->is_ready = 1;
}

static void print_heard(Ears *ears, float *answers, long refused) {
  const long all = ears->count * ears->streams;
  float *last = calloc(ears->count, sizeof *last);
  for (long i = 0; i < all; i++)
    if (ears->times[i] > last[i / ears->streams]) last[i / ears->streams] = ears->times[i];
  qsort(ears->times, all, sizeof(float), by_size);
  qsort(last, ears->count, sizeof(float), by_size);
  qsort(answers, ears->count, sizeof(float), by_size);
  printf("{\"expected\": %ld, \"heard\": %ld, \"refused\": %ld, \"p50\": %.1f, \"p99\": %.1f, \"last\": %.1f, \"most\": %.1f, "
         "\"answer\": %.1f}\n", all, ears->heard, refused, quantile(ears->times, all, 0.5), quantile(ears->times, all, 0.99),
         quantile(last, ears->count, 0.5), quantile(last, ears->count, 1), quantile(answers, ears->count, 0.5));
}

static void hear(Plan plan, const char *method, int status, Plan streams, const char *kind, long count, double interval) {
  Ears ears = {.streams = streams.count, .is_sync = !strcmp(kind, "sync"), .is_plain = !strcmp(kind, "plain"), .count = count};
  ears.begun = calloc(count + 1, sizeof(double));
  ears.times = calloc(count * streams.count + 1, sizeof(float));
  float *answers = calloc(count + 1, sizeof(float));
  Connection *connections = calloc(streams.count + 1, sizeof *connections), *sender = &connections[streams.count];
  for (int i = 0; i < streams.count; i++) {
    dial(&connections[i], i, 1);
    ask(&connections[i], "GET", &streams.lines[i], 0);
  }
  dial(sender, 0, 0);
  struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
  if (!count && epoll_ctl(queue, EPOLL_CTL_ADD, 0, &input)) fail("cannot watch the input");
  long sent = 0, answered = 0, refused = 0;
  double due = 0, patience = now() + 60e6;
  int was_ready = 0;
  while (!count || answered < count || ears.heard < count * streams.count) {
    double time = now();
    if (time > patience) break;
    if (!was_ready && ears.ready == streams.count) {
      was_ready = 1;
      due = time + 300e3;  // lets the last streams settle
      puts("ready");
      fflush(stdout);
    }
    if (was_ready && sent < count && sent == answered && time >= due) {
      ears.begun[sent] = time;
      ask(sender, method, &plan.lines[sent % plan.count], sent);
      sent++;
      due = time + interval * 1e3;
      patience = time + 60e6;
    }
    if (!count) patience = time + 60e6;
    double wait = was_ready && sent < count && sent == answered ? (due - time) / 1e3 : 100;
    struct epoll_event events[256];
    int ready = epoll_wait(queue, events, 256, wait < 0 ? 0 : (int)wait + 1);
    for (int i = 0; i < ready; i++) {
      Connection *connection = events[i].data.ptr;
      if (!connection) return;
      if (connection->is_stream) { listen_to(connection, &ears, &streams); continue; }
      receive(connection);
      if (!is_whole(connection)) continue;
      answers[answered++] = now() - connection->began;
      refused += connection->status != status;
    }
  }
  print_heard(&ears, answers, refused);
}

int main(int count, char **arguments) {
  if (count < 8) { fputs("see the first lines of load.c\n", stderr); return 64; }
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(arguments[2]))};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  queue = epoll_create1(0);
  request = malloc(request_size);
  first_mark = random_bits() % 9000000000;
  Plan plan = read_plan(arguments[3]);
  if (!strcmp(arguments[1], "ask"))
    ask_in_a_loop(plan, arguments[4], atoi(arguments[5]), atof(arguments[6]), atoi(arguments[7]));
  else
    hear(plan, arguments[4], atoi(arguments[5]), read_plan(arguments[6]), arguments[7], atol(arguments[8]),
         atof(arguments[9]));
  return 0;
}
