#include "lib/compiled/section_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/reader/crc64.hpp"

namespace basesweep {
namespace {

struct Header {
  char magic[8];
  std::uint32_t layout;
  std::uint32_t sections;
  std::uint64_t file_bytes;
  std::uint64_t checksum;
  char version[32];
};

struct SectionEntry {
  char name[kMaxSectionName + 1];
  std::uint64_t begin;
  std::uint64_t bytes;
  std::uint64_t checksum;
  std::uint64_t unused;
};

constexpr std::size_t kMaxSections = 4096;

static_assert(sizeof(Header) == kSectionAlignment && sizeof(SectionEntry) == kSectionAlignment);
static_assert(sizeof BASESWEEP_VERSION <= sizeof(Header::version));

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The text of a field that is filled up with zero bytes.
std::string_view field_text(std::span<const char> field) {
  return {field.data(), static_cast<std::size_t>(std::find(field.begin(), field.end(), '\0') - field.begin())};
}

std::uint64_t checksum_of(std::span<const std::byte> bytes, int threads) {
  std::vector<std::uint64_t> tiles((bytes.size() + kChecksumTile - 1) / kChecksumTile);
  parallel_for_parts(threads, bytes.size(), kChecksumTile, [&](std::size_t begin, std::size_t end) {
    tiles[begin / kChecksumTile] = crc64(bytes.subspan(begin, end - begin));
  });
  return crc64(std::as_bytes(std::span(tiles)));
}

std::uint64_t checksum_of(Header header, std::span<const SectionEntry> entries) {
  header.checksum = 0;
  return crc64(std::as_bytes(entries), crc64(bytes_of(header)));
}

// A file descriptor.
class Opened {
 public:
  explicit Opened(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Opened() {
    if (fd_ >= 0) close(fd_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw DataError(fmt::format("{}: {}: write it again with 'basesweep compile'", path, why));
}

}  // namespace

void write_sections(ByteSink& to, const std::vector<Section>& sections, int threads) {
  std::vector<SectionEntry> entries(sections.size());
  std::uint64_t end = sizeof(Header) + sections.size() * sizeof(SectionEntry);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto& [name, bytes] = sections[i];
    std::memcpy(entries[i].name, name.data(), std::min(name.size(), kMaxSectionName));
    entries[i].begin = end;
    entries[i].bytes = bytes.size();
    entries[i].checksum = checksum_of(bytes, threads);
    end += aligned(bytes.size());
  }
  Header header{};
  kSectionMagic.copy(header.magic, sizeof header.magic);
  header.layout = kSectionLayout;
  header.sections = static_cast<std::uint32_t>(sections.size());
  header.file_bytes = end;
  std::memcpy(header.version, BASESWEEP_VERSION, sizeof BASESWEEP_VERSION);
  header.checksum = checksum_of(header, entries);
  to.write(text_of(bytes_of(header)));
  to.write(text_of(std::as_bytes(std::span(entries))));
  for (const Section& section : sections) {
    to.write(text_of(section.bytes));
    to.write(std::string(aligned(section.bytes.size()) - section.bytes.size(), '\0'));
  }
}

bool SectionFile::is_one(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const Opened file(path);
  char start[kSectionMagic.size()];
  std::size_t read = 0;
  while (read < sizeof start) {
    const ssize_t more = pread(file.get(), start + read, sizeof start - read, static_cast<off_t>(read));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    read += static_cast<std::size_t>(more);
  }
  return std::string_view(start, sizeof start) == kSectionMagic;
}

void SectionFile::Unmap::operator()(const std::byte* mapped) const noexcept {
  munmap(const_cast<std::byte*>(mapped), bytes);
}

SectionFile::SectionFile(const std::string& path, int threads) : path_(path) {
  const Opened file(path);
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) throw IoError(path, "cannot read", errno);
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes < sizeof(Header))
    refuse(path, fmt::format("the compiled set is not complete, it has only {} bytes", bytes));
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) throw IoError(path, "cannot map into memory", errno);
  mapped_ = {static_cast<const std::byte*>(mapped), Unmap{bytes}};
  madvise(mapped, bytes, MADV_WILLNEED);  // if it is refused, the file is read a little slower
  read_entries(threads);
}

SectionFile::SectionFile(const std::string& name, std::string_view bytes, int threads) : path_(name) {
  if (bytes.size() < sizeof(Header)) refuse(name, "the compiled set is not complete");
  void* const copy = mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(copy, bytes.data(), bytes.size());
  mapped_ = {static_cast<const std::byte*>(copy), Unmap{bytes.size()}};
  read_entries(threads);
}

void SectionFile::read_entries(int threads) {
  const std::size_t bytes = mapped_.get_deleter().bytes;
  Header header;
  std::memcpy(&header, mapped_.get(), sizeof header);
  const auto other_version = [&](const std::string& version) {
    refuse(path_, fmt::format("the set was compiled by {}, this is {}", version, BASESWEEP_VERSION));
  };
  if (std::string_view(header.magic, sizeof header.magic) != kSectionMagic) refuse(path_, "not a compiled set");
  if (header.layout != kSectionLayout) {
    other_version(fmt::format("another version of basesweep (layout {} instead of {})", header.layout, kSectionLayout));
  }
  if (header.file_bytes != bytes) {
    refuse(path_, fmt::format("the compiled set is not complete, or was changed: it has {} bytes instead of {}", bytes,
                              header.file_bytes));
  }
  const std::string changed = "the compiled set was changed or damaged after it was written: ";
  if (header.sections > std::min(kMaxSections, (bytes - sizeof(Header)) / sizeof(SectionEntry))) {
    refuse(path_, changed + "its header is not valid");
  }
  std::vector<SectionEntry> entries(header.sections);
  if (!entries.empty())
    std::memcpy(entries.data(), mapped_.get() + sizeof header, entries.size() * sizeof(SectionEntry));
  if (checksum_of(header, entries) != header.checksum) refuse(path_, changed + "its header does not fit its checksum");
  if (const std::string_view version = field_text(header.version); version != BASESWEEP_VERSION) {
    other_version(fmt::format("basesweep {}", printable(version)));
  }
  std::uint64_t begin = sizeof header + entries.size() * sizeof(SectionEntry);
  for (const SectionEntry& entry : entries) {
    const std::string name(field_text(entry.name));
    if (entry.begin != begin || entry.bytes > bytes - begin || aligned(entry.bytes) > bytes - begin) {
      refuse(path_, changed + fmt::format("section '{}' is out of place", printable(name)));
    }
    const std::span content(mapped_.get() + begin, entry.bytes);
    const std::span behind(content.data() + content.size(), aligned(entry.bytes) - entry.bytes);
    const bool empty_behind = std::all_of(behind.begin(), behind.end(), [](std::byte b) { return b == std::byte{0}; });
    if (!empty_behind || checksum_of(content, threads) != entry.checksum) {
      refuse(path_, changed + fmt::format("section '{}' does not fit its checksum", printable(name)));
    }
    sections_.push_back({name, content});
    begin += aligned(entry.bytes);
  }
  if (begin != bytes) refuse(path_, changed + "it has more bytes than its sections");
}

std::optional<std::span<const std::byte>> SectionFile::find(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return section.bytes;
  }
  return std::nullopt;
}

std::span<const std::byte> SectionFile::at(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  refuse(path_, fmt::format("the compiled set has no section '{}'", name));
}

}  // namespace basesweep
