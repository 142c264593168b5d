#include "lib/reader/url_file.hpp"

#include <fmt/format.h>
#include <htslib/hfile.h>
#include <htslib/kstring.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/seekable_file.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

// Whether the server said how long the file is. HTSlib does not seek past the end of such a file (EINVAL), and not at
// all from the end of another (ESPIPE). Neither asks the server.
bool has_length(hFILE* stream) {
  const bool has = hseek(stream, 1, SEEK_END) < 0 && errno == EINVAL;
  hclearerr(stream);
  return has;
}

// A reply that sends on to another URL.
struct Redirect {
  bool came = false;
  std::string location{};  // as the server has it, maybe relative
};

// HTSlib calls this for such a reply, and does not go on after a result other than 0.
int take_redirect(void* data, long /*status*/, kstring_t* headers, kstring_t* /*url*/) noexcept {
  constexpr std::string_view kName = "location:";
  auto& redirect = *static_cast<Redirect*>(data);
  redirect.came = true;
  std::string_view lines(headers->s == nullptr ? "" : headers->s, headers->l);
  while (!lines.empty()) {
    std::string_view line = take_to(lines, '\n');
    const bool named = line.size() > kName.size() &&
                       std::equal(kName.begin(), kName.end(), line.begin(),
                                  [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
    if (!named) continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    redirect.location = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  return 1;
}

// The part before the path: scheme, user and host.
std::string_view host_of(std::string_view url) {
  const std::size_t begin = url.find("//") + 2;
  return url.substr(0, url.find_first_of("/?#", begin));
}

// The URL that `location` means in a reply to `url` (RFC 3986, section 5.2; libcurl resolves "../").
std::string resolved(const std::string& url, const std::string& location) {
  const std::string host(host_of(url));
  const std::string path = url.substr(host.size(), url.find_first_of("?#", host.size()) - host.size());
  const std::size_t mark = location.find_first_of(":/?#");
  std::string to;
  if (mark != std::string::npos && location[mark] == ':') {
    to = location;
  } else if (location.starts_with("//")) {
    to = url.substr(0, url.find("//")) + location;
  } else if (location.starts_with('/')) {
    to = host + location;
  } else if (location.starts_with('?')) {
    to = host + path + location;
  } else {
    to = host + (path.empty() ? "/" : path.substr(0, path.rfind('/') + 1)) + location;
  }
  for (std::size_t blank = 0; (blank = to.find(' ', blank)) != std::string::npos;) to.replace(blank, 1, "%20");
  return to;
}

bool is_http(const std::string& url) {
  const auto begins = [&url](std::string_view scheme) {
    return url.size() > scheme.size() && std::equal(scheme.begin(), scheme.end(), url.begin(), [](char a, char b) {
             return a == std::tolower(static_cast<unsigned char>(b));
           });
  };
  return begins("http://") || begins("https://");
}

// Opens the file, unless the server sends on. A token of HTS_AUTH_LOCATION is only for the host that the user names.
Stream open_here(const std::string& url, bool named_by_user, Redirect& redirect) {
  errno = 0;
  if (!is_http(url)) return Stream(hopen(url.c_str(), "r"));
  return Stream(hopen(url.c_str(), "r:", "redirect_callback", take_redirect, "redirect_callback_data", &redirect,
                      "auth_token_enabled", named_by_user ? "true" : "false", nullptr));
}

// The stream, or nothing and the code of the fault. HTSlib would follow redirects without end, so that is done here.
std::pair<Stream, int> try_to_open(const std::string& url) {
  constexpr int kMaxRedirects = 10;
  const auto refuse = [&url](const std::string& what) { return IoError(url, "cannot open: " + what); };
  std::string at = url;
  for (int redirects = 0;; ++redirects) {
    const UrlWait wait(url);
    Redirect redirect;
    Stream stream = open_here(at, host_of(at) == host_of(url), redirect);
    const int fault = stream == nullptr ? errno : 0;
    if (!redirect.came) return {std::move(stream), fault};
    if (redirect.location.empty()) throw refuse("the server redirects, but does not say where to");
    const std::string next = resolved(at, redirect.location);
    if (!is_http(next)) throw refuse(fmt::format("the server redirects to {}, which is not followed", next));
    if (redirects == kMaxRedirects) {
      throw refuse(fmt::format("more than {} redirects, the last one to {}: check the URL", kMaxRedirects, next));
    }
    at = next;
  }
}

// Reads until `size` bytes or the end of the file are reached.
std::size_t read_fully(const std::string& url, hFILE* stream, char* to, std::size_t size) {
  const UrlWait wait(url);
  const ssize_t got = hread(stream, to, size);
  if (got < 0) throw IoError(url, "cannot read", errno);
  return static_cast<std::size_t>(got);
}

// A plain file, of which blocks are read and some kept: packers ask for text a little out of order.
class UrlFile final : public SeekableFile {
 public:
  UrlFile(const std::string& url, Stream stream) : SeekableFile(url), stream_(std::move(stream)) {
    // A seek to the last byte tells the length, and whether the server sends ranges. An empty file has no last byte.
    const UrlWait wait(path());
    const off_t last = hseek(stream_.get(), -1, SEEK_END);
    if (last < 0 && errno != EINVAL) throw IoError(path(), "cannot read", errno);
    hclearerr(stream_.get());
    size_ = last + 1;
  }

  std::size_t read_at(char* to, std::size_t size, std::int64_t offset) const override {
    const std::lock_guard lock(mutex_);
    std::size_t done = 0;
    while (done < size && offset + static_cast<std::int64_t>(done) < size_) {
      const std::int64_t at = offset + static_cast<std::int64_t>(done);
      const std::vector<char>& block = block_of(at / kBlockBytes);
      const auto begin = static_cast<std::size_t>(at % kBlockBytes);
      const std::size_t count = std::min(size - done, block.size() - begin);
      std::copy_n(block.data() + begin, count, to + done);
      done += count;
    }
    return done;
  }
  std::int64_t size() const override { return size_; }
  Compression compression() const override { return Compression::none; }

 private:
  static constexpr std::int64_t kBlockBytes = 1 << 18;
  static constexpr std::size_t kBlocksKept = 32;

  struct Block {
    std::int64_t number;
    std::vector<char> bytes;
  };

  // The block, which moves to the front of those that are kept.
  const std::vector<char>& block_of(std::int64_t number) const {
    const auto kept =
        std::find_if(blocks_.begin(), blocks_.end(), [number](const Block& b) { return b.number == number; });
    if (kept != blocks_.end()) {
      blocks_.splice(blocks_.begin(), blocks_, kept);
      return blocks_.front().bytes;
    }
    const std::int64_t begin = number * kBlockBytes;
    std::vector<char> bytes(static_cast<std::size_t>(std::min(kBlockBytes, size_ - begin)));
    seek_url(path(), stream_.get(), begin);
    if (read_fully(path(), stream_.get(), bytes.data(), bytes.size()) < bytes.size()) throw became_shorter(path());
    blocks_.push_front({number, std::move(bytes)});
    if (blocks_.size() > kBlocksKept) blocks_.pop_back();
    return blocks_.front().bytes;
  }

  Stream stream_;
  std::int64_t size_ = 0;
  mutable std::mutex mutex_;
  mutable std::list<Block> blocks_;  // used last first
};

}  // namespace

Stream open_url(const std::string& url) {
  auto [stream, fault] = try_to_open(url);
  if (stream == nullptr) throw IoError(url, "cannot open", fault);
  if (!has_length(stream.get()))
    throw IoError(url,
                  "the server does not say how long the file is, so an end that comes too early could not be noticed; "
                  "download the file first");
  return std::move(stream);
}

// HTSlib 1.16 may hand out wrong bytes after a seek of less than 1,000,000 bytes forward, for which it reads on and
// drops what it passes over. So that is done here.
void seek_url(const std::string& url, hFILE* stream, std::int64_t offset) {
  constexpr std::int64_t kNear = 2'000'000;
  std::int64_t left = offset - htell(stream);
  if (left < 0 || left >= kNear) {
    const UrlWait wait(url);
    if (hseek(stream, offset, SEEK_SET) < 0) throw IoError(url, "cannot read", errno);
    return;
  }
  std::array<char, 1 << 14> passed;
  while (left > 0) {
    const std::size_t step = std::min(static_cast<std::size_t>(left), passed.size());
    if (read_fully(url, stream, passed.data(), step) < step) throw became_shorter(url);
    left -= static_cast<std::int64_t>(step);
  }
}

std::shared_ptr<InputFile> make_url_file(const std::string& url, Stream stream) {
  return std::make_shared<UrlFile>(url, std::move(stream));
}

std::optional<std::string> fetch_url(const std::string& url, std::size_t max_bytes) {
  if (!url_exists(url)) return std::nullopt;
  const Stream stream = open_url(url);
  std::string bytes;
  constexpr std::size_t kStep = std::size_t{1} << 16;
  for (std::size_t got = kStep; got == kStep;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kStep);
    got = read_fully(url, stream.get(), bytes.data() + before, kStep);
    bytes.resize(before + got);
    if (bytes.size() > max_bytes) throw DataError(fmt::format("{}: larger than {} bytes", url, max_bytes));
  }
  return bytes;
}

bool url_exists(const std::string& url) {
  const auto [stream, fault] = try_to_open(url);
  if (stream != nullptr) return true;
  if (fault == ENOENT || fault == EACCES || fault == EPERM) return false;
  throw IoError(url, "cannot open", fault);
}

bool reads_urls() { return hfile_has_plugin("libcurl") > 0; }

}  // namespace basesweep
