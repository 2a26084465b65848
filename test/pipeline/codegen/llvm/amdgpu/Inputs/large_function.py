"""Writes functions of many blocks: @short and @long with successive branches, @nested with branches in branches, @wide
with more pointers that inner branches use than are passed in scalar registers, @many with too many of them, and @exits,
each branch of which may leave the function."""


def successive(name, count):
    lines = [f"define amdgpu_kernel void @{name}(ptr addrspace(1) %p, i32 %n) {{", "  br label %a0"]
    for i in range(count):
        value = f"%v{i - 1}" if i else "%n"
        lines += [
            f"a{i}:",
            f"  %v{i} = load volatile i32, ptr addrspace(1) %p",
            f"  %c{i} = icmp eq i32 %v{i}, {value}",
            f"  br i1 %c{i}, label %b{i}, label %a{i + 1}",
            f"b{i}:",
            f"  store volatile i32 {i}, ptr addrspace(1) %p",
            f"  br label %a{i + 1}",
        ]
    return "\n".join([*lines, f"a{count}:", "  ret void", "}"])


def nested(name, count, pointers=1):
    arguments = "".join(f"ptr addrspace(1) %p{i}, " for i in range(pointers))
    pointer = lambda i: f"%p{i * pointers // count}"
    lines = [f"define amdgpu_kernel void @{name}({arguments}i32 %n) {{", "  br label %a0"]
    for i in range(count):
        lines += [
            f"a{i}:",
            f"  %v{i} = load volatile i32, ptr addrspace(1) {pointer(i)}",
            f"  %c{i} = icmp eq i32 %v{i}, {i}",
            f"  br i1 %c{i}, label %a{i + 1}, label %e{i}",
        ]
    lines += [f"a{count}:", f"  br label %e{count - 1}"]
    for i in reversed(range(count)):
        lines += [
            f"e{i}:",
            f"  store volatile i32 {i}, ptr addrspace(1) {pointer(i)}",
            f"  br label %e{i - 1}" if i else "  ret void",
        ]
    return "\n".join([*lines, "}"])


def exits(name, count):
    lines = [f"define amdgpu_kernel void @{name}(ptr addrspace(1) %p, i32 %n) {{", "  br label %a0"]
    for i in range(count):
        lines += [
            f"a{i}:",
            f"  %v{i} = load volatile i32, ptr addrspace(1) %p",
            f"  %c{i} = icmp eq i32 %v{i}, {i}",
            f"  br i1 %c{i}, label %b{i}, label %a{i + 1}",
            f"b{i}:",
            f"  store volatile i32 {i}, ptr addrspace(1) %p",
            "  ret void",
        ]
    return "\n".join([*lines, f"a{count}:", "  ret void", "}"])


FUNCTIONS = [
    successive("short", 300),
    successive("long", 400),
    nested("nested", 400),
    nested("wide", 400, pointers=16),
    nested("many", 400, pointers=400),
    exits("exits", 400),
]
print("\n\n".join(FUNCTIONS))
