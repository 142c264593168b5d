// Tags that are copied: their bytes in BAM are those that HTSlib makes of the same line of SAM.
#include "lib/base/sam_tags.hpp"

#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <memory>
#include <stdexcept>

#include "tests/support/catch.hpp"

namespace basesweep::test_sam_tags {

namespace {

// The tag as HTSlib keeps it; "" if it refuses the line.
std::string by_htslib(const std::string& tag) {
  const std::unique_ptr<sam_hdr_t, decltype(&sam_hdr_destroy)> header(sam_hdr_init(), sam_hdr_destroy);
  const std::unique_ptr<bam1_t, decltype(&bam_destroy1)> record(bam_init1(), bam_destroy1);
  std::string line = "r\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\t" + tag;
  kstring_t text{line.size(), line.size() + 1, line.data()};
  if (sam_parse1(&text, header.get(), record.get()) < 0) return "";
  const auto* aux = reinterpret_cast<const char*>(bam_get_aux(record.get()));
  return {aux, static_cast<std::size_t>(bam_get_l_aux(record.get()))};
}

std::string bytes_of(const std::string& tag, bool binary) {
  std::string bytes;
  append_sam_tag(tag, binary, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("kept tags: bytes of BAM are those of HTSlib") {
  for (const char* tag : {"RG:Z:x",
                          "BC:Z:ACGT-TTGA AA",
                          "XX:Z:",
                          "A1:A:%",
                          "XX:H:",
                          "XX:H:1aE3",
                          "XX:i:0",
                          "XX:i:-1",
                          "XX:i:+7",
                          "XX:i:127",
                          "XX:i:128",
                          "XX:i:255",
                          "XX:i:256",
                          "XX:i:-128",
                          "XX:i:-129",
                          "XX:i:32767",
                          "XX:i:32768",
                          "XX:i:65535",
                          "XX:i:65536",
                          "XX:i:-32768",
                          "XX:i:-32769",
                          "XX:i:2147483647",
                          "XX:i:2147483648",
                          "XX:i:4294967295",
                          "XX:f:0",
                          "XX:f:-1.5",
                          "XX:f:1e-10",
                          "XX:f:+2.25",
                          "XX:B:c,-128,127",
                          "XX:B:C,255,0",
                          "XX:B:s,-32768,32767",
                          "XX:B:S,65535",
                          "XX:B:i,-2147483648",
                          "XX:B:I,4294967295,1",
                          "XX:B:f,0.5,-2,1e+20"}) {
    INFO(tag);
    CHECK(bytes_of(tag, false) == std::string("\t") + tag);
    CHECK(bytes_of(tag, true) == by_htslib(tag));
  }
}

TEST_CASE("kept tags: names, and what SAM does not allow") {
  for (const char* name : {"RG", "bc", "X0", "a9"}) CHECK(is_sam_tag(name));
  for (const char* name : {"", "R", "RGX", "0X", "R_", "R ", ":Z"}) CHECK(!is_sam_tag(name));
  for (const char* tag : {"RG",
                          "RG:",
                          "RG:Z",
                          "RG:Z;x",
                          "RG:q:x",
                          "RG:i:",
                          "RG:i:x",
                          "RG:i:1 ",
                          "RG:i:4294967296",
                          "RG:i:+-1",
                          "RG:i:-2147483649",
                          "RG:f:",
                          "RG:f:1x",
                          "RG:A:",
                          "RG:A:ab",
                          "RG:A: ",
                          "RG:H:a",
                          "RG:H:xy",
                          "RG:B:",
                          "RG:B:q,1",
                          "RG:B:c1",
                          "RG:B:c,",
                          "RG:B:c,1,",
                          "RG:B:c,,1",
                          "RG:B:c,128",
                          "RG:B:C,-1",
                          "RG:Z:\x7f",
                          "RG:Z:\n"}) {
    INFO(tag);
    std::string bytes;
    CHECK_THROWS_AS(append_sam_tag(tag, false, bytes), std::runtime_error);
    CHECK_THROWS_AS(append_sam_tag(tag, true, bytes), std::runtime_error);
  }
}

TEST_CASE("tags of BAM have the sizes that HTSlib gives them, and end within the record") {
  for (const char* tag : {"XA:A:x", "Xc:i:-7", "XC:i:200", "Xs:i:-300", "XS:i:40000", "Xi:i:-70000", "XI:i:4000000000",
                          "XF:f:1.5", "RG:Z:", "RG:Z:one", "XH:H:1AE3", "XB:B:c,1", "XB:B:S,1,2,3", "XB:B:f,1,2"}) {
    INFO(tag);
    const std::string bytes = by_htslib(tag);
    REQUIRE(!bytes.empty());
    CHECK(bam_tag_size(bytes) == bytes.size());
    CHECK(bam_tag_size(bytes + "RGZnext") == bytes.size());
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS_AS(bam_tag_size(std::string_view(bytes).substr(0, size)), std::runtime_error);
  }
  CHECK_THROWS_AS(bam_tag_size("XAq1234"), std::runtime_error);
}

}  // namespace basesweep::test_sam_tags
