// The search of windows with `bitsliced` on the CPU, compiled once for each instruction set from windows.cpp.
#pragma once

#include "kernels/window_scan.hpp"

BASESWEEP_DECLARE_WINDOWS(bitsliced)
