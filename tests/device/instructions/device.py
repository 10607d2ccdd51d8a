"""The driver's interface, as far as running kernels of a module needs it."""

import ctypes


class DeviceError(Exception):
    pass


class Device:
    def __init__(self, number=0):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DeviceError(f"no driver: {error}") from None
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), number)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            raise DeviceError(f"{name}: {(text.value or b'unknown').decode()} ({status})")

    def name(self):
        text, version = ctypes.create_string_buffer(128), ctypes.c_int()
        self.call("cuDeviceGetName", text, 128, self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return f"{text.value.decode()}, driver interface {version.value // 1000}.{version.value % 1000 // 10}"

    def load(self, text):
        log, module = ctypes.create_string_buffer(16384), ctypes.c_void_p()
        names = (ctypes.c_int * 2)(5, 6)  # the error log's buffer, its size
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), len(log))
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), text.encode() + b"\0", 2, names, values)
        except DeviceError as error:
            raise DeviceError(f"{error}: {log.value.decode(errors='replace')[:2000]}") from None
        return module

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def run(self, module, name, threads, source, into, given, size):
        """Launches one block: `given` goes to `source`, `size` bytes come back from `into`."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self.call("cuMemcpyHtoD_v2", source, given, ctypes.c_size_t(len(given)))
        self.call("cuMemsetD8_v2", into, 0, ctypes.c_size_t(size))
        arguments = (ctypes.c_void_p * 2)(ctypes.cast(ctypes.byref(source), ctypes.c_void_p),
                                          ctypes.cast(ctypes.byref(into), ctypes.c_void_p))
        self.call("cuLaunchKernel", function, 1, 1, 1, threads, 1, 1, 0, None, arguments, None)
        self.call("cuCtxSynchronize")
        back = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", back, into, ctypes.c_size_t(size))
        return back.raw
