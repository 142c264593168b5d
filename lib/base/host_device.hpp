// BASESWEEP_HD marks functions that host code and CUDA kernels share.
#pragma once

#ifdef __CUDACC__
#define BASESWEEP_HD __host__ __device__ __forceinline__
#else
#define BASESWEEP_HD inline
#endif
