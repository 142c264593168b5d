// libcurl for HTSlib where basesweep has HTSlib inside (scripts/old_glibc.sh): passes calls on to the libcurl of the system.
//
// An archive for many systems cannot have a libcurl of its own: where certificates lie differs from system to system, and a library
// that talks to the network needs the fixes of its system. Linked in the usual way the program would not start without one. HTSlib
// calls curl_global_init before any other function of libcurl, and when a URL is opened first; if that fails it reads no URLs.
#include <dlfcn.h>
#include <stddef.h>

#define FUNCTIONS(F)                                                                                                            \
  F(easy_cleanup) F(easy_duphandle) F(easy_getinfo) F(easy_init) F(easy_pause) F(easy_perform) F(easy_reset) F(easy_setopt)     \
  F(easy_strerror) F(global_cleanup) F(multi_add_handle) F(multi_cleanup) F(multi_fdset) F(multi_info_read) F(multi_init)       \
  F(multi_perform) F(multi_remove_handle) F(multi_strerror) F(multi_timeout) F(share_cleanup) F(share_init) F(share_setopt)     \
  F(slist_append) F(slist_free_all) F(version_info)

enum { kNotBuiltIn = 4 };  // CURLE_NOT_BUILT_IN: HTSlib takes it for ENOSYS, and calls nothing else, not even curl_easy_strerror

// Each function jumps to the one of the same name in libcurl, which leaves all arguments as they are, variable ones too.
#define DEFINE(name)                                                                    \
  __attribute__((visibility("hidden"), used)) void* basesweep_curl_##name;              \
  __asm__(".pushsection .text\n.globl curl_" #name "\n.hidden curl_" #name "\n"         \
          ".type curl_" #name ",@function\ncurl_" #name ":\n\tendbr64\n"                \
          "\tjmp *basesweep_curl_" #name "(%rip)\n.size curl_" #name ",.-curl_" #name   \
          "\n.popsection");
FUNCTIONS(DEFINE)

#define ENTRY(name) {"curl_" #name, &basesweep_curl_##name},
static const struct {
  const char* name;
  void** address;
} kFunctions[] = {FUNCTIONS(ENTRY)};

__attribute__((visibility("hidden"))) int curl_global_init(long flags) {
  static const char* const kNames[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};
  void* library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof kNames / sizeof *kNames; ++i) library = dlopen(kNames[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return kNotBuiltIn;
  int (*init)(long) = (int (*)(long))dlsym(library, "curl_global_init");
  if (init == NULL) return kNotBuiltIn;
  for (size_t i = 0; i < sizeof kFunctions / sizeof *kFunctions; ++i) {
    *kFunctions[i].address = dlsym(library, kFunctions[i].name);
    if (*kFunctions[i].address == NULL) return kNotBuiltIn;
  }
  return init(flags);
}
