# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""makers.py FOLDER: the same kernel as PTX of five makers, each with what its
PTX has and nvcc's lacks. The kernel keeps forty sums through a loop."""

import sys
from pathlib import Path

VALUES = 40
THREADS = 256


def lines(values, text):
    return "\n".join(text.format(n=n, at=4 * n) for n in range(values))


def body(load, store):
    """The kernel of the arrays %rd1 and %rd2 and the count %r1."""
    return f"""
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	mul.wide.s32 %rd5, %r5, 4;
	add.s64 %rd6, %rd3, %rd5;
{lines(VALUES, "	mov.f32 %f{n}, 0f3F800000;")}
	mov.u32 %r6, 0;
$L__BB0_1:
{lines(VALUES, load)}
{lines(VALUES - 1, "	fma.rn.f32 %f{n}, %f{n}, %f10{n}, 0f3F000000;")}
	add.rn.f32 %f{VALUES - 1}, %f0, %f10{VALUES - 1};
	add.s32 %r6, %r6, 1;
	setp.lt.s32 %p1, %r6, %r1;
	@%p1 bra $L__BB0_1;
	mov.f32 %f200, 0f00000000;
{lines(VALUES, "	add.rn.f32 %f200, %f200, %f{n};")}
	add.s64 %rd7, %rd4, %rd5;
{store}
	ret;
"""


REGISTERS = """	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .f32 %f<1100>;
	.reg .b64 %rd<16>;
"""
HEADER = ".version {version}\n.target sm_90\n.address_size 64\n"


def entry(name, parameters, bounds, text, head="", version="8.4", order=(0, 1, 2)):
    loads = "".join(
        f"	ld.param.u{64 if n < 2 else 32} %{'rd' if n < 2 else 'r'}{(1, 2, 1)[n]}, "
        f"[{name}_param_{order[n]}];\n" for n in range(3))
    listed = ",\n".join(f"	{kind} {name}_param_{n}" for n, kind in enumerate(parameters))
    return (HEADER.format(version=version) + head +
            f".visible .entry {name}(\n{listed}\n)\n{bounds}\n{{\n{REGISTERS}{loads}{text}}}\n")


def checked(failing):
    """That kernel, which goes to `failing` if the count is less than one."""
    return ("""
	setp.lt.s32 %p3, %r1, 1;
	@%p3 bra $L__BB0_9;
""" + body(PLAIN, STORE) + "\n$L__BB0_9:" + failing)


PLAIN = "	ld.global.f32 %f10{n}, [%rd6+{at}];"
STORE = "	st.global.f32 [%rd7], %f200;"


def numba():
    """libNVVM for Numba: arrays come as seven parameters, in a name that tells
    their types."""
    name = "_ZN8__main__4stirB2v1B94cw51cXTLSUwv1sCUt9Uw11Ew0NRRQPKzLTg4gaGKFsG2oMQGEYakJSQB1PQBk0Bynm21OiwU1a0UoLGhDpQE8oxrNQE_3dE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedEi"
    array = [".param .u64"] * 7
    environment = (".common .global .align 8 .u64 "
                   "_ZN08NumbaEnv8__main__4stirB2v1B94cw51cXTLSUwv1sCUt9;\n")
    return entry(name, array + array + [".param .u32"], f".maxntid {THREADS}, 1, 1",
                 body(PLAIN, STORE), environment, order=(4, 11, 14))


def triton():
    """Inline PTX with its own scope, several loads at once under a predicate,
    .reqntid, and debug sections."""
    load = ("	// begin inline asm\n	{{\n	.reg .b32 %t;\n	mov.u32 %t, 0x0;\n"
            "	@%p2 ld.global.b32 {{ %t }}, [ %rd6 + {at} ];\n	mov.b32 %f10{n}, %t;\n	}}\n"
            "	// end inline asm")
    store = ("	mov.b32 %r9, %f200;\n	// begin inline asm\n"
             "	@%p2 st.global.b32 [ %rd7 + 0 ], { %r9 };\n	// end inline asm")
    text = body(load, store).replace("$L__BB0_1:", "	setp.ge.s32 %p2, %r1, 0;\n$L__BB0_1:")
    sections = ('	.file	1 "/home/user/stir.py"\n.section	.debug_abbrev\n{\n.b8 1\n.b8 17\n.b8 0\n}\n')
    return entry("stir", [".param .u64 .ptr .global .align 1", ".param .u64 .ptr .global .align 1",
                          ".param .u32"], f".reqntid {THREADS}, 1, 1", text,
                 ".extern .shared .align 16 .b8 global_smem[];\n") + sections


def xla():
    """Read-only loads, aligned parameters, and .reqntid."""
    load = "	ld.global.nc.f32 %f10{n}, [%rd6+{at}];"
    return entry("loop_multiply_fusion", [".param .u64 .ptr .align 128"] * 2 + [".param .u32"],
                 f".reqntid {THREADS}, 1, 1", body(load, STORE), version="8.3")


def julia():
    """A structure with the kernel's state comes first; errors are reported by a
    function, and end the thread."""
    report = (".func gpu_report_exception(\n	.param .b64 gpu_report_exception_param_0\n)\n"
              "{\n	ret;\n}\n")
    text = checked("""
	mov.u64 %rd9, 0;
	{ // callseq 0, 0
	.param .b64 param0;
	st.param.b64 [param0+0], %rd9;
	call.uni
	gpu_report_exception,
	(
	param0
	);
	} // callseq 0
	trap;
	exit;
""")
    return entry("_Z4stir13CuDeviceArrayI7Float32Li1ELi1EE5Int32",
                 [".param .align 8 .b8", ".param .u64", ".param .u64", ".param .u32"],
                 f".maxntid {THREADS}, 1, 1", text, report, order=(1, 2, 3)).replace(
                     "EE5Int32_param_0,", "EE5Int32_param_0[24],", 1)


def rust():
    """A function that never returns, for indices out of bounds."""
    panic = (".func _ZN4core9panicking18panic_bounds_check17h0123456789abcdefE(\n"
             "	.param .b64 panic_param_0,\n	.param .b64 panic_param_1\n)\n.noreturn\n"
             "{\n	trap;\n	// begin inline asm\n	exit;\n	// end inline asm\n}\n")
    text = checked("""
	cvt.u64.u32 %rd9, %r1;
	{ // callseq 0, 0
	.param .b64 param0;
	st.param.b64 [param0], %rd9;
	.param .b64 param1;
	st.param.b64 [param1], %rd9;
	call.uni
	_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE,
	(
	param0,
	param1
	);
	} // callseq 0
	trap;
""")
    return entry("stir", [".param .u64 .ptr .align 1"] * 2 + [".param .u32"],
                 f".maxntid {THREADS}", text, panic, version="7.8")


def main():
    for maker in (numba, triton, xla, julia, rust):
        (Path(sys.argv[1]) / f"{maker.__name__}.ptx").write_text(maker())


if __name__ == "__main__":
    main()
