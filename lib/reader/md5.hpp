// MD5 digests, as SAM headers have them for reference sequences.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct hts_md5_context;

namespace basesweep {

class Md5 {
 public:
  Md5();

  // Adds text, in any number of calls. The digest of a sequence for SAM is that of its upper-case letters without white
  // space.
  void add(std::string_view text);
  // The digest as 32 lower-case hexadecimal digits. Then a new digest begins.
  std::string take();

 private:
  struct Destroy {
    void operator()(hts_md5_context* context) const noexcept;
  };
  std::unique_ptr<hts_md5_context, Destroy> context_;
};

}  // namespace basesweep
