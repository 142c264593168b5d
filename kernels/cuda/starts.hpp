// Starts (kernels/tables/starts.hpp) on the device.
#pragma once

#include "kernels/cuda/device.hpp"
#include "kernels/tables/starts.hpp"

namespace basesweep::cuda {

// Copies them; `tables` owns the copy.
inline StartsView put(DeviceTables& tables, const Starts& starts) {
  StartsView view = starts.view();
  view.slots = tables.put(starts.slots);
  view.item_begin = tables.put(starts.item_begin);
  view.items = tables.put(starts.items);
  view.pattern_blocks = tables.put(starts.pattern_blocks);
  return view;
}

}  // namespace basesweep::cuda
