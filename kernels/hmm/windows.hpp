// The search of windows with `hmm` on the CPU, compiled once for each instruction set from windows.cpp.
#pragma once

#include "kernels/window_scan.hpp"

BASESWEEP_DECLARE_WINDOWS(hmm)
