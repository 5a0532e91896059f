/* zlib as a module: what of it HTTP may use. */
#include <zlib.h>
