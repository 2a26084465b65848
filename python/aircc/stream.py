"""Device streams."""

import ctypes


class Stream:
    """A queue of device work that is executed in order. Calls on a stream return without waiting for their kernels.

    `Library.create_stream` creates a stream. Given the address of a native stream (a hipStream_t, or an in-order
    immediate Level Zero command list), it creates a Stream for that one; call `release` before you destroy the native
    stream.
    """

    def __init__(self, runtime, native=None):
        self._runtime = runtime
        self._is_owner = native is None
        # Other libraries' memory that kernels may use until they have finished.
        self._operands = []
        self._handle = runtime.create_stream() if native is None else native

    @property
    def handle(self):
        """The address that aircc_FUNCTION_async takes."""
        return self._handle

    def hold(self, operands):
        """Makes the stream release operands after the work submitted so far."""
        self._operands.extend(operands)

    def _release_operands(self):
        operands, self._operands = self._operands, []
        for operand in operands:
            operand.release()

    def synchronize(self):
        """Waits for the work of the stream."""
        self._runtime.synchronize(self._handle)
        self._release_operands()

    def release(self):
        """Waits for the work of the stream, and frees the memory that functions have kept for calls on it."""
        self._runtime.release_stream(self._handle)
        self._release_operands()

    def __del__(self):
        if self._is_owner and getattr(self, "_handle", None):
            self._runtime.destroy_stream(self._handle)
            self._handle = None
            self._release_operands()

    def __repr__(self):
        return f"Stream({ctypes.c_void_p(self._handle).value or 0:#x})"
