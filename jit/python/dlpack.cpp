// Arrays from DLPack: a capsule, or an object that makes one. It is consumed once, and what it
// holds is given back as soon as nobody needs it, also when it is refused.
#include <Python.h>
#include <dlpack/dlpack.h>

#include <cstring>

#include "jit/python/array.h"
#include "jit/python/failure.h"

namespace pto::jit::python {
namespace {

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

void expect_cpu(long type, std::string_view name) {
  if (type == kDLCPU) return;
  std::string device = "device type " + std::to_string(type);
  for (const DeviceName& row : kDevices) {
    if (row.type == type) device = row.name;
  }
  fail("call.device",
       std::string(name) + " lies on " + device + "; kernels run on the CPU: copy it there first");
}

// A new reference that lets go of itself; nothing where the call failed, whose error is cleared.
struct Drop {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Reference = std::unique_ptr<PyObject, Drop>;

[[noreturn]] void fail_by_producer(std::string_view name) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Reference held_type(type), held_value(value), held_trace(trace);
  const Reference text(value ? PyObject_Str(value) : nullptr);
  const char* said = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  fail("call.dlpack", std::string(name) + " gives no DLPack capsule: " + (said ? said : "?"));
}

void ask_device(PyObject* object, std::string_view name) {
  const Reference device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  if (!device) fail_by_producer(name);
  PyObject* first = PyTuple_Check(device.get()) && PyTuple_GET_SIZE(device.get()) == 2
                        ? PyTuple_GET_ITEM(device.get(), 0)
                        : nullptr;
  const long type = first ? PyLong_AsLong(first) : -1;  // enumerators of a producer are numbers too
  if (PyErr_Occurred()) PyErr_Clear();
  expect_cpu(type, name);
}

Reference capsule_of(PyObject* object, std::string_view name) {
  if (PyCapsule_CheckExact(object)) {
    Py_INCREF(object);
    return Reference(object);
  }
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

}  // namespace

bool read_dlpack(PyObject* object, std::string_view name, Array& array) {
  const bool is_capsule = PyCapsule_CheckExact(object);
  if (!is_capsule && !PyObject_HasAttrString(object, "__dlpack__")) return false;
  const Reference capsule = capsule_of(object, name);
  const std::shared_ptr<DLManagedTensor> held = consume(capsule.get(), name);
  const DLTensor& tensor = held->dl_tensor;
  expect_cpu(tensor.device.device_type, name);
  if (tensor.ndim > static_cast<int>(Array::kMostDims))
    fail("call.shape", std::string(name) + " has " + std::to_string(tensor.ndim) + " dimensions");
  array.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  array.element = element_of_code(tensor.dtype);
  if (array.element.size == 0 || array.element.kind == NumberKind::Opaque)
    array.foreign = "of a DLPack type that no kernel has";
  array.dims = static_cast<std::size_t>(tensor.ndim);
  for (std::size_t i = 0; i < array.dims; ++i) array.extents[i] = tensor.shape[i];
  set_packed_steps(array);
  for (std::size_t i = 0; tensor.strides && i < array.dims; ++i)
    array.steps[i] = tensor.strides[i] * array.element.size;
  array.is_writable = true;  // this version of DLPack has no word for memory that is not
  array.owner = held;
  return true;
}

}  // namespace pto::jit::python
