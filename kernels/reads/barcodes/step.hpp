// One step of Myers' algorithm with a horizontal difference at the top (Myers 1999; Hyyrö 2003).
//
// Names as in the papers: Pv and Mv say where the cost of a row is one more, or one less, than that of the row above;
// Ph and Mh say so of a row and the column before. Bit i stands for row i of the barcode.
#pragma once

#include "lib/base/host_device.hpp"

namespace basesweep::barcodes {

// Lane: an integer, or a vector of them. `eq`: the rows whose letter the next letter of the text matches. `top`: how
// much more the row above the first costs in this column than in the one before, -1, 0 or 1. Sets ph and mh.
template <class Lane>
BASESWEEP_HD void step(Lane eq, int top, Lane& pv, Lane& mv, Lane& ph, Lane& mh) {
  const Lane xv = eq | mv;
  if (top < 0) eq |= 1U;
  const Lane xh = (((eq & pv) + pv) ^ pv) | eq;
  ph = mv | ~(xh | pv);
  mh = pv & xh;
  Lane ph_down = ph << 1;
  Lane mh_down = mh << 1;
  if (top > 0) ph_down |= 1U;
  if (top < 0) mh_down |= 1U;
  pv = mh_down | ~(xv | ph_down);
  mv = ph_down & xv;
}

}  // namespace basesweep::barcodes
