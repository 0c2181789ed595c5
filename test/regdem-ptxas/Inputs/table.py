# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints PTX of a kernel in which 60 values are alive where a table says where
control goes."""

N, WAYS = 60, 4
print(f""".version 9.0
.target sm_90
.address_size 64
.visible .entry table(.param .u64 p, .param .u32 n)
.maxntid 256, 1, 1
{{
  .reg .b32 %v<{N}>, %n, %t;
  .reg .b64 %p;
  ld.param.u64 %p, [p];
  ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %p, %t, 4, %p;
  and.b32 %n, %n, {WAYS - 1};""")
for i in range(N):
    print(f"  ld.global.u32 %v{i}, [%p+{1024 * i}];")
print("  ts: .branchtargets " + ", ".join(f"way{w}" for w in range(WAYS)) + ";")
print("  brx.idx %n, ts;")
for w in range(WAYS):
    print(f"way{w}:")
    for i in range(N):
        print(f"  mad.lo.u32 %v{i}, %v{(i + w + 1) % N}, {w + 3}, %v{i};")
    print("  bra.uni out;")
print("out:")
for i in range(N):
    print(f"  st.global.u32 [%p+{1024 * i}], %v{i};")
print("  ret;\n}")
