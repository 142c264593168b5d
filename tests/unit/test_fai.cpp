// Reads record names and lengths from PATH.fai.
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/base/error.hpp"
#include "lib/reader/fai.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_fai {

using Catch::Matchers::Equals;

namespace {

void set_time(const std::string& path, time_t seconds, long nanoseconds) {
  const timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

std::vector<RecordInfo> records_in(const std::string& index) {
  std::vector<RecordInfo> records;
  for (const FaiRecord& record : read_fai_file(index)) records.push_back(record.info);
  return records;
}

}  // namespace

TEST_CASE("fai: the first two columns") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("a.fa");
  support::write_file(path, ">one\nACGT\n>two\nAC\n");
  support::write_file(path + ".fai", "one\t4\t5\t4\t5\ntwo\t5000000000\t15\t2\t3\n");
  CHECK((records_in(path + ".fai") == std::vector<RecordInfo>{{"one", 4}, {"two", 5'000'000'000}}));

  support::write_file(path + ".fai", "one\t4\t5\t4\t5");  // no line end
  CHECK((records_in(path + ".fai") == std::vector<RecordInfo>{{"one", 4}}));
  support::write_file(path + ".fai", "");
  CHECK((records_in(path + ".fai") == std::vector<RecordInfo>{}));
}

TEST_CASE("fai: missing, or older than the text") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("a.fa");
  CHECK_FALSE(has_fai(path));
  CHECK_FALSE(has_fai("-"));
  support::write_file(path, ">one\nACGT\n");
  CHECK_FALSE(has_fai(path));
  support::write_file(path + ".fai", "one\t4\t5\t4\t5\n");
  set_time(path, 1000, 500);
  set_time(path + ".fai", 1000, 499);
  CHECK_FALSE(has_fai(path));
  set_time(path + ".fai", 1000, 500);
  CHECK(has_fai(path));
  set_time(path + ".fai", 1001, 0);
  CHECK(has_fai(path));
}

TEST_CASE("fai: malformed") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("a.fa");
  support::write_file(path, ">one\nACGT\n");
  const std::string line =
      GENERATE("two\t4\t5\t4", "two\t4\t5\t4\t5\t6", "\t4\t5\t4\t5", "two 4 5 4 5", "two\tx\t5\t4\t5",
               "two\t-4\t5\t4\t5", "two\t4\t5\t4\t", "two\t4\t5\t4\t5\r", "", "two\t99999999999999999999\t5\t4\t5",
               "two\t9000000000000000000\t5\t1\t2", "two\t4\t9223372036854775807\t4\t5");
  support::write_file(path + ".fai", "one\t4\t5\t4\t5\n" + line + "\n");
  CHECK_THROWS_AS(read_fai_file(path + ".fai"), DataError);
  CHECK_THROWS_WITH(
      read_fai_file(path + ".fai"),
      Equals(path +
             ".fai: line 2: expected a name and four numbers, separated by tabs, as 'samtools faidx' writes them"));
}

}  // namespace basesweep::test_fai
