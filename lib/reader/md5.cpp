#include "lib/reader/md5.hpp"

#include <htslib/hts.h>

#include <new>

namespace basesweep {

void Md5::Destroy::operator()(hts_md5_context* context) const noexcept { hts_md5_destroy(context); }

Md5::Md5() : context_(hts_md5_init()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

void Md5::add(std::string_view text) { hts_md5_update(context_.get(), text.data(), text.size()); }

std::string Md5::take() {
  unsigned char digest[16];
  hts_md5_final(digest, context_.get());
  hts_md5_reset(context_.get());
  char hex[33];
  hts_md5_hex(hex, digest);
  return hex;
}

}  // namespace basesweep
