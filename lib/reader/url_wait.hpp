// Waiting for servers: one that sends nothing for too long is given up.
//
// HTSlib has no such limit, and a call of it that waits cannot be called off. So a thread watches how long calls have
// been waiting while no socket of this process got a byte. Then it calls a function that ends the process.
#pragma once

#include <functional>
#include <string>

namespace basesweep {

// From now on `give_up` is called with a message when a server has sent nothing for so many seconds; 0: never, which is
// so at first. `give_up` must not return.
void limit_url_waits(int seconds, std::function<void(const std::string& message)> give_up);

// While this object lives, its thread may be waiting for bytes of `path`. Nothing happens for a path that is no URL.
class UrlWait {
 public:
  explicit UrlWait(const std::string& path);
  // For a stream that is closed, as HTSlib reads on first: the URL is the one that was waited for last, if any.
  UrlWait();
  ~UrlWait();
  UrlWait(const UrlWait&) = delete;
  UrlWait& operator=(const UrlWait&) = delete;

 private:
  bool watched_ = false;
};

}  // namespace basesweep
