// Parts of all commands, through all that `merge` does, to the files that it writes.
//
// A part is a chain of checksums over compressed sections, which no random change would leave right. An input is
// therefore what sections hold, and the target makes parts of it:
//
//     1 byte     the words given to `merge`, see kWords; with kReport, it writes a report; with kTwoParts, the run has
//                two chunks; with kTwoThreads, two threads must write the same files
//     sections:  1 byte    name, see kNames
//                1         rows; 0: not a block of rows
//                2         bytes that follow, little-endian
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/parts/part_writer.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tools/commands.hpp"
#include "tools/options.hpp"
#include "tools/part_output.hpp"
#include "tools/program.hpp"

namespace {

using namespace basesweep;

constexpr std::size_t kReport = 32;
constexpr std::size_t kTwoParts = 64;
constexpr std::size_t kTwoThreads = 128;
constexpr std::array<const char*, 9> kNames{"label", "words", "inputs",  "records", "indexed",
                                            "query", "rows",  "summary", "totals"};
// HITS is a file too.
const std::array<std::vector<std::string>, kReport> kWords{{
    {},
    {"--format=tsv"},
    {"--format=bed"},
    {"--format=gff3"},
    {"--format=fasta"},
    {"--format=sam"},
    {"--format=bam"},
    {"--format=csv"},
    {"--format=jsonl"},
    {"--format=arrow"},
    {"--count"},
    {"--count", "--by-edits"},
    {"--count", "--per-file"},
    {"--report=best"},
    {"--report=best-per-record"},
    {"--report=best-per-record", "--best-of=record", "--format=tsv"},
    {"--non-overlapping"},
    {"--max-hits=1"},
    {"--max-products=1", "--format=tsv"},
    {"--table"},
    {"--format=tsv", "--aligned", "--edit-columns", "--with-file"},
    {"--format=fasta", "--sequence=insert"},
    {"--report=best", "--format=bam", "--eqx"},
    {"--hits=HITS.bed"},
    {"--hits=HITS.tsv"},
    {"--hits=HITS.bam"},
    {"--hits=HITS.sam"},
    {"--hits=HITS.gff3"},
    {"--format=bam", "--write-index"},
    {"--read-group=@RG\\tID:a", "--no-PG"},
    {"--report=all", "--format=tsv"},
    {"--format=tsv", "--report=best", "--non-overlapping"},
}};

class Sections {
 public:
  explicit Sections(std::string_view bytes) {
    while (bytes.size() >= 4) {
      const auto byte = [&bytes](std::size_t at) { return std::size_t{static_cast<unsigned char>(bytes[at])}; };
      const std::size_t size = std::min(byte(2) | byte(3) << 8, bytes.size() - 4);
      all_.push_back({kNames[byte(0) % kNames.size()], byte(1), bytes.substr(4, size)});
      bytes.remove_prefix(4 + size);
    }
  }

  // The file of a chunk. Whatever the label says, the chunk is this one.
  std::string part(std::uint32_t chunk, std::uint32_t chunks) const {
    class Bytes final : public ByteSink {
     public:
      void write(std::string_view more) override { all += more; }
      std::string all;
    };
    Bytes bytes;
    PartWriter to(bytes);
    for (const auto& [name, rows, content] : all_) {
      if (name == "rows" && rows != 0) {
        RowBlock block{rows, {}};
        block.bytes.append(content);
        to.add_rows(compress(block));
      } else if (std::optional<PartLabel> label; name == "label" && (label = parse_part(content))) {
        label->chunk = chunk;
        label->chunks = chunks;
        to.add_section(name, print_part(*label));
      } else {
        to.add_section(name, content);
      }
    }
    to.finish();
    return std::move(bytes.all);
  }

 private:
  struct Section {
    std::string name;
    std::uint64_t rows;
    std::string_view content;
  };
  std::vector<Section> all_;
};

// A folder in memory, which is empty before and after each input.
class Folder {
 public:
  Folder() {
    std::string name = "/dev/shm/fuzz_merge.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::exit(1);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // Takes all files: their bytes by name.
  std::map<std::string, std::string> take() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_directory()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files[std::filesystem::relative(entry.path(), path_)] = {std::istreambuf_iterator<char>(in), {}};
    }
    for (const auto& entry : std::filesystem::directory_iterator(path_)) std::filesystem::remove_all(entry.path());
    return files;
  }

 private:
  std::string path_;
};

const Folder& folder() {
  static const Folder kFolder;
  return kFolder;
}

// Their options take longer to make than a run.
const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> kAll = commands_with_parts();
  return kAll;
}

Work add_command(CLI::App& app, const std::string& name) {
  if (name == "motif") return add_motif_command(app);
  if (name == "match") return add_match_command(app);
  if (name == "pcr") return add_pcr_command(app);
  if (name == "pwm") return add_pwm_command(app);
  if (name == "guides") return add_guides_command(app);
  if (name == "demux") return add_demux_command(app);
  if (name == "trim") return add_trim_command(app);
  return name == "count" ? add_count_command(app) : add_map_command(app);
}

// Does the work of run_words() without its messages.
int finish_run(PartSet& parts, const std::vector<std::string>& more) {
  std::vector<std::string> words = words_of(parts, commands());
  words.insert(words.end(), more.begin(), more.end());
  CLI::App app;
  const Work work = add_command(app, words.front());
  for (CLI::Option* option : app.get_subcommand(words.front())->get_options()) {
    if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError&) {
    throw UsageError("of the command line");
  }
  return work(&parts);
}

// The files that `merge` writes; none where it refuses.
std::map<std::string, std::string> merged(const std::vector<std::string>& paths, std::size_t choice, int threads) {
  std::vector<std::string> words{"--output=" + folder().file("out"), "--quiet", "--threads=" + std::to_string(threads)};
  for (std::string word : kWords[choice % kReport]) {
    if (const std::size_t at = word.find("HITS"); at != std::string::npos) word.insert(at, folder().file(""));
    words.push_back(word);
  }
  if ((choice & kReport) != 0) words.push_back("--json=" + folder().file("report"));
  const bool refused = fuzz::refuses([&] {
    PartSet parts(paths);
    finish_run(parts, words);
  });
  std::map<std::string, std::string> files = folder().take();
  fuzz::require(files.empty() || !refused, "a run that is refused leaves no file");
  files.erase("report");  // which says how long it took
  return files;
}

}  // namespace

// Hides the memory that HTSlib and oneTBB leave when a run is refused: the program then ends (tests/lsan.supp). oneTBB
// loses the data in a filter that throws.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhts\nleak:libtbb\n"; }

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  const Sections sections(choice.rest);
  const std::uint32_t chunks = (choice.number & kTwoParts) != 0 ? 2 : 1;
  const fuzz::MemoryFile first(sections.part(1, chunks));
  const fuzz::MemoryFile second(sections.part(2, 2));
  std::vector<std::string> paths{first.path()};
  if (chunks == 2) paths.push_back(second.path());
  const auto files = merged(paths, choice.number, 1);
  if ((choice.number & kTwoThreads) == 0) return 0;
  fuzz::require(merged(paths, choice.number, 2) == files, "the number of threads changes nothing");
  return 0;
}
