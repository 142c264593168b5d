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

  // In pieces of any length. For SAM: upper-case letters, no white space.
  void add(std::string_view text);
  // 32 hexadecimal digits, lower case. Begins anew afterwards.
  std::string take();

 private:
  struct Destroy {
    void operator()(hts_md5_context* context) const noexcept;
  };
  std::unique_ptr<hts_md5_context, Destroy> context_;
};

}  // namespace basesweep
