"""Memory that is handed over through DLPack, described truly or not."""

from __future__ import annotations

import ctypes

import numpy as np

INT, UINT, FLOAT, OPAQUE, BFLOAT = 0, 1, 2, 3, 4
CPU, CUDA = 1, 2


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class DLManagedTensor(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [
    ("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
raised = ctypes.pythonapi.PyErr_Occurred
raised.restype = ctypes.c_void_p


class Producer:
    """Gives its memory through DLPack, counts how often it comes back, and whether a deleter met an
    exception. `lies` are fields of the DLTensor to say something else in."""

    def __init__(self, memory: np.ndarray, code=FLOAT, bits=32, lanes=1, device=CPU, strides=None,
                 offset=0, shape=None, lies=()) -> None:
        shape = memory.shape if shape is None else shape
        self.memory, self.device, self.given, self.returned, self.disturbed = memory, device, 0, 0, 0
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = (ctypes.c_int64 * len(strides))(*strides) if strides else None
        self.deleter = DELETER(self.take_back)
        tensor = DLTensor(memory.ctypes.data, (device, 0), len(shape), code, bits, lanes,
                          self.shape, self.strides, offset)
        for field, value in dict(lies).items():
            setattr(tensor, field, value)
        self.managed = DLManagedTensor(tensor, None, self.deleter)

    def take_back(self, managed) -> None:
        self.returned += 1
        try:
            self.disturbed += raised() is not None
        except BaseException:  # ctypes hands on what it finds set
            self.disturbed += 1

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, stream=None):
        self.given += 1
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)
