// Where Starts lie on the device.
#pragma once

#include "kernels/cuda/device.hpp"
#include "kernels/starts.hpp"

namespace basesweep::cuda {

// A copy.
inline StartsView put(DeviceTables& tables, const Starts& starts) {
  StartsView view = starts.view();
  view.slots = tables.put(starts.slots);
  view.item_begin = tables.put(starts.item_begin);
  view.items = tables.put(starts.items);
  view.chunks = tables.put(starts.chunks);
  return view;
}

}  // namespace basesweep::cuda
