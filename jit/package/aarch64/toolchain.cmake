# Builds for aarch64 on another Debian machine: -DCMAKE_TOOLCHAIN_FILE=jit/package/aarch64/toolchain.cmake. The libraries are
# Debian's for arm64, installed beside the machine's own; what is built runs in an emulator of QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
