#include "lib/writer/md5.hpp"

#include <htslib/hts.h>

#include <new>

namespace basesweep {

Md5::Md5() : context_(hts_md5_init()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

Md5::~Md5() { hts_md5_destroy(context_); }

void Md5::add(std::string_view text) { hts_md5_update(context_, text.data(), text.size()); }

std::string Md5::take() {
  unsigned char digest[16];
  hts_md5_final(digest, context_);
  hts_md5_reset(context_);
  char hex[33];
  hts_md5_hex(hex, digest);
  return hex;
}

}  // namespace basesweep
