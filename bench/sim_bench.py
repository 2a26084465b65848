"""Measures the speed of the simulated device, as ratios within one run.

For comparison, the same LLVM IR is compiled for the host and run one lane after another.
Times are CPU times, which other load does not affect, except that numbers of threads are
compared by wall times.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LLVM_BIN = "/usr/lib/llvm-22/bin"

# The device computes the element of a lane from its ids; the host uses loops.
DEVICE = """
define amdgpu_kernel void @matmul(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b,\
 ptr addrspace(1) noalias %c, i32 %n) #0 {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %i = call i32 @llvm.amdgcn.workgroup.id.y()
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %first = shl i32 %group, 6
  %j = or disjoint i32 %first, %lane
  %a.flat = addrspacecast ptr addrspace(1) %a to ptr
  %b.flat = addrspacecast ptr addrspace(1) %b to ptr
  %c.flat = addrspacecast ptr addrspace(1) %c to ptr
  call void @element(ptr %a.flat, ptr %b.flat, ptr %c.flat, i32 %n, i32 %i, i32 %j)
  ret void
}
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" }
"""
HOST = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void element(const float *a, const float *b, float *c, int n, int i, int j);
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a = malloc(n * n * sizeof(float)), *b = malloc(n * n * sizeof(float)), *c = malloc(n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i)
    a[i] = i % 7, b[i] = i % 5;
  struct timespec start, stop;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      element(a, b, c, n, i, j);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
  printf("%.6f %g\n", stop.tv_sec - start.tv_sec + (stop.tv_nsec - start.tv_nsec) * 1e-9, c[n]);
  return 0;
}
"""


def run(command, stdin=None):
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def cpu(command):
    """Returns the CPU seconds of a process, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


def instructions(text):
    return int(re.search(r"(\d+) instructions of waves in ([0-9.]+) s", text)[1])


def wall(text):
    return float(re.search(r"(\d+) instructions of waves in ([0-9.]+) s", text)[2])


def code_object(out, name, text, chip):
    path = f"{out}/{name}"
    run([f"{LLVM_BIN}/opt", "-O2", f"-mcpu={chip}", "-mtriple=amdgcn-amd-amdhsa", "-o", f"{path}.bc"], text)
    run(
        [
            f"{LLVM_BIN}/llc",
            "-O3",
            f"-mcpu={chip}",
            "-mtriple=amdgcn-amd-amdhsa",
            "-filetype=obj",
            f"{path}.bc",
            "-o",
            f"{path}.o",
        ]
    )
    run([f"{LLVM_BIN}/ld.lld", "-shared", f"{path}.o", "-o", f"{path}.hsaco"])
    return f"{path}.hsaco"


def kernel_seconds(sim, small, large, rounds):
    """Returns the CPU seconds of the kernel alone, without start-up and filling of buffers."""
    empty = min(cpu(sim + small)[0] for _ in range(rounds))
    runs = [cpu(sim + large) for _ in range(rounds)]
    best, text = min(runs)
    return max(best - empty, 1e-6), text


def bench_sim(aircc, rounds):
    rounds = max(3, rounds // 3)
    with tempfile.TemporaryDirectory() as out:
        # f32 through LDS, as aircc compiles the sample.
        run([aircc, f"{HERE}/../samples/matmul.mlir", "--target", "gfx942", "--emit=hsaco", "-o", f"{out}/lds.hsaco"])
        sim = [aircc, "sim", f"{out}/lds.hsaco", "--block", "256", "--host-time", "--threads", "1"]
        sim += ["--arg", "memref:f32:512x512:1"] * 2 + ["--arg", "memref:f32:512x512"]
        seconds, text = kernel_seconds(sim, ["--grid", "1"], ["--grid", "8,8"], rounds)
        rate = instructions(text) * 64 / seconds
        print("\nThe simulated device, on one core")
        print(
            f"  f32 matmul through LDS, 512x512x512: {seconds:.3f} s,"
            f" {rate / 1e9:.2f} billion lane-instructions per second"
        )

        # The same IR on the device and on the host.
        with open(f"{HERE}/sim/lane_matmul.ll") as file:
            element = file.read()
        lanes = code_object(out, "lanes", element + DEVICE, "gfx942")
        sim = [aircc, "sim", lanes, "--block", "64", "--host-time", "--threads", "1"]
        sim += ["--arg", "f32:512x512:1"] * 2 + ["--arg", "f32:512x512", "--arg", "i32=512"]
        seconds, text = kernel_seconds(sim, ["--grid", "1"], ["--grid", "8,512"], rounds)
        run([f"{LLVM_BIN}/opt", "-O2", "-o", f"{out}/host.bc"], element.replace(" alwaysinline", ""))
        run(
            [
                f"{LLVM_BIN}/llc",
                "-O3",
                "-mcpu=native",
                "-relocation-model=pic",
                "-filetype=obj",
                f"{out}/host.bc",
                "-o",
                f"{out}/host.o",
            ]
        )
        with open(f"{out}/main.c", "w") as file:
            file.write(HOST)
        run(["cc", "-O2", f"{out}/main.c", f"{out}/host.o", "-o", f"{out}/host"])
        host = min(float(run([f"{out}/host", "512"]).split()[0]) for _ in range(rounds))
        print(
            f"  one lane per element, 512x512x512: {seconds:.3f} s,"
            f" {seconds / host:.2f}x of the same IR on the host ({host:.3f} s)"
        )

        # Matrix instructions, and the speedup with more threads.
        with open(f"{HERE}/sim/mfma_matmul.ll") as file:
            mfma = code_object(out, "mfma", file.read(), "gfx942")
        sim = [aircc, "sim", mfma, "--block", "64", "--grid", "32,32", "--host-time"]
        sim += ["--arg", "f16:1024x1024:1"] * 2 + ["--arg", "f32:1024x1024", "--arg", "i32=1024", "--arg", "i32=1024"]
        cores = os.cpu_count() or 1
        one = [cpu(sim + ["--threads", "1"]) for _ in range(rounds)]
        many = [cpu(sim + ["--threads", str(cores)]) for _ in range(rounds)]
        first, last = min(wall(text) for _, text in one), min(wall(text) for _, text in many)
        print(
            f"  f16 MFMA matmul, 1024x1024x1024: {first:.3f} s on one thread,"
            f" {last:.3f} s on {cores}: {first / last:.2f}x as fast,"
        )
        print(f"    for {min(many)[0] / min(one)[0]:.2f}x the CPU time (1.00x: threads add no overhead)")
