# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints PTX of a kernel with 60 values that are alive at once: crowd.py table,
where a table says where control goes; crowd.py products, where ptxas makes one
block of a product and its sum in two; crowd.py guarded, where the sum is
guarded, too."""

import sys

N, WAYS = 60, 4
NAME = sys.argv[1]
print(f""".version 9.0
.target sm_90
.address_size 64
.visible .entry {NAME}(.param .u64 p, .param .u32 n)
.maxntid 256, 1, 1
{{
  .reg .f32 %v<{N}>, %w;
  .reg .b32 %n, %t;
  .reg .b64 %p;
  ld.param.u64 %p, [p];
  ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %p, %t, 4, %p;
  and.b32 %n, %n, {WAYS - 1};""")
for i in range(N):
    print(f"  ld.global.f32 %v{i}, [%p+{1024 * i}];")
if NAME != "table":
    guard = "@%q" if NAME == "guarded" else ""
    print(f"""  .reg .pred %q;
  setp.ne.u32 %q, %n, 0;
  mul.f32 %w, %v0, %v1;
  bra.uni near;
near:
  {guard} add.f32 %v0, %w, %v2;""")
print("  ts: .branchtargets " + ", ".join(f"way{w}" for w in range(WAYS)) + ";"
      "\n  brx.idx %n, ts;" if NAME == "table" else "  bra.uni way0;")
for w in range(WAYS if NAME == "table" else 1):
    print(f"way{w}:")
    for i in range(N):
        print(f"  fma.rn.f32 %v{i}, %v{(i + w + 1) % N}, %v{(i + 7) % N}, %v{i};")
    print("  bra.uni out;")
print("out:")
for i in range(N):
    print(f"  st.global.f32 [%p+{1024 * i}], %v{i};")
print("  ret;\n}")
