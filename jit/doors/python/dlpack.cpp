// Arrays from DLPack: a capsule, or an object that makes one. It is consumed once, and what it
// holds is given back as soon as nobody needs it, also when it is refused.
#include <dlpack/dlpack.h>
#include <pybind11/pybind11.h>

#include <limits>

#include "jit/doors/python/array.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/values.h"

namespace pto::jit::python {
namespace {

namespace py = pybind11;

constexpr const char* kFresh = "dltensor";
constexpr const char* kUsed = "used_dltensor";

struct DeviceName {
  int type;
  const char* name;
};
constexpr std::array kDevices = {
    DeviceName{kDLCUDA, "CUDA"},        DeviceName{kDLCUDAHost, "CUDA host memory"},
    DeviceName{kDLOpenCL, "OpenCL"},    DeviceName{kDLVulkan, "Vulkan"},
    DeviceName{kDLMetal, "Metal"},      DeviceName{kDLVPI, "VPI"},
    DeviceName{kDLROCM, "ROCm"},        DeviceName{kDLROCMHost, "ROCm host memory"},
    DeviceName{kDLExtDev, "extension"}, DeviceName{kDLCUDAManaged, "CUDA managed memory"},
};

void expect_cpu(std::int64_t type, std::string_view name) {
  if (type == kDLCPU) return;
  std::string device = "device type " + std::to_string(type);
  for (const DeviceName& row : kDevices) {
    if (row.type == type) device = row.name;
  }
  fail("call.device", std::string(name) + " lies on " + device +
                          "; kernels run on the CPU: copy it there, and what is written back");
}

[[noreturn]] void fail_by_producer(std::string_view name) {
  fail("call.dlpack", std::string(name) + " gives no DLPack capsule: " + take_exception());
}

void ask_device(PyObject* object, std::string_view name) {
  const Reference device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  if (!device) fail_by_producer(name);
  PyObject* first = PyTuple_Check(device.get()) && PyTuple_GET_SIZE(device.get()) == 2
                        ? PyTuple_GET_ITEM(device.get(), 0)
                        : nullptr;
  // Enumerators of a producer are numbers too.
  const std::optional<std::int64_t> type = first ? integer_of(first) : std::nullopt;
  if (!type) fail("call.dlpack", std::string(name) + " does not say which device it lies on");
  expect_cpu(*type, name);
}

Reference capsule_of(PyObject* object, std::string_view name) {
  if (PyCapsule_CheckExact(object)) return share(object);
  ask_device(object, name);
  Reference capsule(PyObject_CallMethod(object, "__dlpack__", nullptr));
  if (!capsule) fail_by_producer(name);
  return capsule;
}

// From here on it is ours to give back.
std::shared_ptr<DLManagedTensor> consume(PyObject* capsule, std::string_view name) {
  if (PyCapsule_IsValid(capsule, kUsed))
    fail("call.dlpack", std::string(name) + " is a DLPack capsule that has been consumed already");
  if (!PyCapsule_IsValid(capsule, kFresh))
    fail("call.dlpack", std::string(name) + " is no DLPack capsule named '" + kFresh + "'");
  auto* tensor = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kFresh));
  PyCapsule_SetName(capsule, kUsed);
  return {tensor, [](DLManagedTensor* held) {
            const py::error_scope kept;  // a deleter may run Python, which no exception may meet
            if (held->deleter) held->deleter(held);
          }};
}

Element element_of_code(const DLDataType& type) {
  const std::int64_t size = type.bits / 8;
  const bool is_whole = type.lanes == 1 && type.bits % 8 == 0;
  if (is_whole && type.code == kDLInt) return element_of(NumberKind::Signed, size);
  if (is_whole && type.code == kDLUInt) return element_of(NumberKind::Unsigned, size);
  if (is_whole && type.code == kDLFloat) return element_of(NumberKind::Float, size);
  if (is_whole && type.code == kDLBfloat && size == 2) return element_of(DType::BF16);
  return {.size = static_cast<std::int32_t>(size)};
}

// Whether the object says that it has DLPack.
bool is_producer(PyObject* object, std::string_view name) {
  const Reference method(PyObject_GetAttrString(object, "__dlpack__"));
  if (method) return true;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) fail_by_producer(name);
  PyErr_Clear();
  return false;
}

std::byte* data_of(const DLTensor& tensor, std::string_view name) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (address == 0) return nullptr;
  if (tensor.byte_offset > std::numeric_limits<std::int64_t>::max() - address)
    fail("call.size", std::string(name) + " begins " + std::to_string(tensor.byte_offset) +
                          " bytes behind its address, where no memory is");
  return static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

}  // namespace

bool read_dlpack(PyObject* object, std::string_view name, Array& array) {
  if (!PyCapsule_CheckExact(object) && !is_producer(object, name)) return false;
  const Reference capsule = capsule_of(object, name);
  const std::shared_ptr<DLManagedTensor> held = consume(capsule.get(), name);
  const DLTensor& tensor = held->dl_tensor;
  expect_cpu(tensor.device.device_type, name);
  array.data = data_of(tensor, name);
  array.element = element_of_code(tensor.dtype);
  if (array.element.size == 0 || array.element.kind == NumberKind::Opaque)
    array.foreign = "of a DLPack type that no kernel has";
  set_layout(array, name, {tensor.ndim, tensor.shape, tensor.strides, array.element.size});
  array.is_writable = true;  // this version of DLPack has no word for memory that is not
  array.owner = held;
  return true;
}

}  // namespace pto::jit::python
