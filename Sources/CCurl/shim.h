/* libcurl as a module. Swift cannot call variadic functions, so each kind of option has a function here. */
#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/* Callbacks with what they are given as their context. */

static inline void ccurl_on_head(CURL *easy, curl_write_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline void ccurl_on_body(CURL *easy, curl_write_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline void ccurl_on_connect(CURL *easy, curl_opensocket_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline void ccurl_on_request(CURL *easy, curl_prereq_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline void ccurl_on_sockets(CURLM *multi, curl_socket_callback callback, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

static inline void ccurl_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

static inline void ccurl_limit_connections(CURLM *multi, long per_host) {
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
}

static inline long ccurl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
