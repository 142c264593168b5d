// MD5, as SAM headers have it of reference sequences.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct hts_md5_context;

namespace basesweep {

class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;

  // In pieces of any length. For SAM: upper-case letters, no white space.
  void add(std::string_view text);
  // 32 hexadecimal digits, lower case. Begins anew afterwards.
  std::string take();

 private:
  hts_md5_context* context_;
};

}  // namespace basesweep
