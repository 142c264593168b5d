// A vector for large arrays that several threads fill: resize() leaves new elements without a value, so that their
// pages are first touched by the threads that fill them.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace basesweep {

template <class T>
struct UnsetAllocator : std::allocator<T> {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    if constexpr (sizeof...(arguments) == 0) {
      ::new (static_cast<void*>(at)) U;
    } else {
      ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
  }
};

template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace basesweep
