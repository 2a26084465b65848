"""cost.py AIRCC TARGET WAVE

Measures the cost of messages of 1 to 512 lines for the sender and the receiver. The receiver starts after the message
has arrived, so that its cost includes no waiting.
"""

import json
import os
import subprocess
import sys
import tempfile

aircc, target, wave = sys.argv[1], sys.argv[2], int(sys.argv[3])
PROGRAM = """
air.channel @C [1] {{channel_type = "gpu_symmetric_heap"}}
func.func private @mgpuBarrier()
func.func @main() {{
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {{
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : {type}
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {{
      air.launch @put () in () args(%l = %a) : {type} {{
        %l0 = arith.constant 0 : index
        air.channel.put @C[%l0] (%l[] [] []) : ({type})
      }}
    }}
    func.call @mgpuBarrier() : () -> ()
    scf.if %is0 {{
    }} else {{
      air.launch @get () in () args(%l = %a) : {type} {{
        %l0 = arith.constant 0 : index
        air.channel.get @C[%l0] (%l[] [] []) : ({type})
      }}
    }}
    memref.dealloc %a : {type}
  }}
  return
}}
"""


def measure(lines, work):
    """Returns the counters of the put and of the get."""
    source, binary = os.path.join(work, "cost.mlir"), os.path.join(work, "cost")
    with open(source, "w") as file:
        file.write(PROGRAM.format(type=f"memref<{31 * lines}xi32, #air.symmetric_heap>"))
    subprocess.run([aircc, source, "--target", target, "-o", binary], check=True)
    env = dict(
        os.environ,
        WORLD_SIZE="2",
        AIRCC_JOB=f"cost-{os.getpid()}",
        AIRCC_DEVICE="sim",
        AIRCC_WAIT_LIMIT="120",
        AIRCC_SIM_COUNTERS=os.path.join(work, "counters.%r.json"),
    )
    ranks = [subprocess.Popen([binary], env=dict(env, RANK=str(rank), LOCAL_RANK=str(rank))) for rank in range(2)]
    assert [rank.wait() for rank in ranks] == [0, 0]
    counters = []
    for rank in range(2):
        with open(os.path.join(work, f"counters.{rank}.json")) as file:
            (kernel,) = json.load(file)["kernels"]
            counters.append(kernel)
    return counters


def sum_of(kernel, access, key):
    return sum(entry[key] for entry in kernel["global"] if entry["access"] == access)


with tempfile.TemporaryDirectory() as work:
    for lines in (1, 2, 8, 32, 128, 512):
        put, get = measure(lines, work)
        stores = sum_of(put, "write", "instructions")
        share = 124 * lines / sum_of(put, "write", "bytes")
        print(f"{lines} lines: {stores} stores, {share:.3f} of them payload")
        # A store of the wave holds as many whole lines as it has lanes for, each with payload and flag.
        assert stores == -(-lines * 32 // wave)
        assert share >= 0.5
        assert get["spins"] == 0
        # One store for each word of a lane, and one that frees the slot.
        assert sum_of(get, "write", "instructions") == -(-31 * lines // wave) + 1
        # Loops are unrolled only for some counts, but no line takes more than this number of instructions.
        for side, kernel in (("put", put), ("get", get)):
            print(f"    {side}: {kernel['instructions']} instructions")
            assert kernel["instructions"] <= 300 + 48 * lines
