// The vector instructions of the processor that is compiled for.
#pragma once

#if defined(__ARM_NEON)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif
