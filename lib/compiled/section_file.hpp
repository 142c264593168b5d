// A file of named sections, mapped into memory when it is read. It knows its own length, and the checksum of every
// byte.
//
// All numbers are little-endian. The file begins with 64 bytes, then has 64 bytes for each section, then the sections,
// each from a multiple of 64 bytes on, with zero bytes between.
//
//     header     8 bytes    kSectionMagic
//                4          number of this layout, kSectionLayout
//                4          sections
//                8          bytes of the file
//                8          checksum of the header and of the entries of sections, in which this field is 0
//                32         version of basesweep, filled up with zero bytes
//     entry      32         name of the section, filled up with zero bytes
//                8          where it begins
//                8          its bytes
//                8          its checksum: the CRC-64 of the CRC-64s of each kChecksumTile bytes of it
//                8          0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/writer/byte_sink.hpp"

namespace basesweep {

inline constexpr std::string_view kSectionMagic{
    "\x89"
    "BSX\r\n\x1a\n",
    8};
inline constexpr std::uint32_t kSectionLayout = 1;
inline constexpr std::size_t kSectionAlignment = 64;  // bytes
inline constexpr std::size_t kChecksumTile = std::size_t{1} << 20;
inline constexpr std::size_t kMaxSectionName = 31;  // bytes

struct Section {
  std::string name;  // unique
  std::span<const std::byte> bytes;
};

// Writes the whole file. `threads`: that compute checksums.
void write_sections(ByteSink& to, const std::vector<Section>& sections, int threads);

class SectionFile {
 public:
  // Whether the path is that of a regular file that begins with kSectionMagic.
  static bool is_one(const std::string& path);

  // Maps the file and verifies all of it, on `threads` threads. Throws IoError, and DataError for a file that is not
  // complete, was changed, or is of another version.
  SectionFile(const std::string& path, int threads);
  // The same for the bytes of such a file. `name`: of what holds them, for messages.
  SectionFile(const std::string& name, std::string_view bytes, int threads);

  const std::string& path() const { return path_; }
  // The content of a section, which lives as long as this object; nothing: the file has no such section.
  std::optional<std::span<const std::byte>> find(std::string_view name) const;
  // Throws DataError where find() returns nothing.
  std::span<const std::byte> at(std::string_view name) const;

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(const std::byte* mapped) const noexcept;
  };
  void read_entries(int threads);

  std::string path_;
  std::unique_ptr<const std::byte, Unmap> mapped_;
  std::vector<Section> sections_;
};

}  // namespace basesweep
