// Keywords of the device compiler, which mean nothing to the host's. `PTO_EMULATION` lets emitted
// text leave out what only the device needs.
#pragma once

#define PTO_EMULATION 1

#define __global__
#define __aicore__
#define AICORE
#define __gm__
#define __ubuf__
#define __simt_vf__
#define __simt_callee__
#define LAUNCH_BOUND(threads)
#define PTO_INLINE inline
