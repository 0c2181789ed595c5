# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which a program meets RegDem. Each door builds program.cu of a
workshop as stock's tools do and as RegDem does, and says what was stated."""

import json
import os
from dataclasses import dataclass, field

import cubin
import kernels
from promises import Said
from tools import check_reader

SOURCE = "program.cu"


@dataclass
class Built:
    """Figures by kernel (finished: and by build), rows of the launch table,
    what was said, and (rule, detail) of what shows before all figures."""

    stock: dict
    finished: dict
    rows: list
    said: Said
    broken: list = field(default_factory=list)


def built(shop, stock, finished, said):
    """stock: figures; finished: name of the file."""
    program = cubin.device_code(shop.read(finished))
    return Built(stock, cubin.kernels(program), list(cubin.launch_rows(program)),
                 said)


def random_options(rng):
    """The plugin's, by name."""
    options = {"mode": rng.choice(("auto",) * 6 + ("demote",) * 3 + ("off",)),
               "arrays": rng.choice(("auto", "off"))}
    for name, chance, values in (
            ("max-regs", 0.15, kernels.CAPS),
            ("min-blocks", 0.2, (1, 2, 3, 4, 6, 8, 16)),
            ("block-size", 0.15, kernels.THREADS),
            ("dynamic-smem", 0.3, kernels.DYNAMIC),
            ("kernels", 0.15, ("k[0-2]", "k0", "k[13]")),
            ("launch", 0.2, ("off",)), ("launch-code", 0.5, (1000,)),
            ("ptxas", 0.1, ("off",))):
        if rng.random() < chance:
            options[name] = rng.choice(values)
    return options


def random_said(rng, whole):
    """whole: one command makes device and host code. Else the user runs another
    tool of RegDem by hand, which does not go with turning all of it off."""
    said = Said(by_plugin=True, options=random_options(rng))
    if whole:
        said.unoptimized = rng.random() < 0.12
    elif said.options["mode"] == "off":
        said.options["mode"] = "auto"
    said.register_cap = rng.choice(kernels.CAPS) if rng.random() < 0.08 else 0
    return said


def clang_command(shop, said):
    command = shop.tools.clang_cuda()
    if said.unoptimized:
        command += ["-Xarch_device", "-O0"]
    if said.register_cap:
        command += ["-Xcuda-ptxas", f"--maxrregcount={said.register_cap}"]
    return command


def stock_of(shop, command, verbose):
    """Figures of what a command builds without RegDem, as ptxas says, too."""
    messages = shop.run(command + verbose + ["-o", "stock.cubin"])
    figures = cubin.kernels(shop.read("stock.cubin"))
    check_reader(figures, messages)
    return figures


def clang_stock(shop, said):
    return stock_of(shop, clang_command(shop, said)
                    + ["--cuda-device-only", "-c", SOURCE],
                    ["-Xcuda-ptxas", "-v"])


def random_form(rng):
    """An object or a shared object."""
    return rng.choice((["-c"], ["-shared", "-fPIC"]))


def compile_device(shop, said, name, *flags, **environment):
    """Device code alone."""
    shop.run(clang_command(shop, said)
             + [*flags, "--cuda-device-only", "-c", SOURCE, "-o", name],
             **environment)


def compile_whole(shop, said, form, name, options=(), **environment):
    """Device and host code by one command."""
    shop.run(clang_command(shop, said)
             + shop.tools.plugin({**said.options, **dict(options)})
             + [*form, SOURCE, "-o", name], **environment)


def plugin(shop, rng):
    """One command of clang's makes device and host code."""
    said = random_said(rng, whole=True)
    stock = clang_stock(shop, said)
    compile_whole(shop, said, random_form(rng), "finished.o")
    return built(shop, stock, "finished.o", said)


def cache(shop, rng):
    """The same, the second time with what the first one has decided."""
    said = random_said(rng, whole=True)
    stock = clang_stock(shop, said)
    form = random_form(rng)
    for name in ("first.o", "second.o"):
        compile_whole(shop, said, form, name, REGDEM_CACHE_DIR=shop.path("cache"))
    result = built(shop, stock, "second.o", said)
    if (cubin.device_code(shop.read("first.o"))
            != cubin.device_code(shop.read("second.o"))):
        result.broken.append(("cached", "other device code"))
    return result


def random_entry(rng, record):
    """A profile's entry for the kernel of a report's line."""
    entry = {key: record[key] for key in ("kernel", "arch", "hash")}
    entry["decision"] = rng.choice(("stock", "stock", "cap"))
    if entry["decision"] == "cap":
        entry.update(rng.choice(({"max_regs": rng.choice(kernels.CAPS)},
                                 {"min_blocks": rng.choice((2, 3, 4, 8))})))
    return entry


def profile(shop, rng):
    """Kernels are built as a profile says."""
    said = random_said(rng, whole=True)
    stock = clang_stock(shop, said)
    form = random_form(rng)  # An entry holds for the code of one of them.
    compile_whole(shop, said, form, "reported.o",
                  {"report": shop.path("report.jsonl"), "ptxas": "off"})
    records = []
    if os.path.exists(shop.path("report.jsonl")):
        records = [json.loads(line) for line
                   in shop.read("report.jsonl").splitlines()]
    said.entries = {record["kernel"]: random_entry(rng, record)
                    for record in records
                    if "hash" in record and rng.random() < 0.7}
    shop.write("profile.json", json.dumps(
        {"version": 1, "entries": list(said.entries.values())}))
    compile_whole(shop, said, form, "finished.o",
                  {"profile": shop.path("profile.json")})
    return built(shop, stock, "finished.o", said)


def in_place_of_ptxas(shop):
    """clang's option that names regdem-ptxas."""
    return f"--ptxas-path={shop.tools.regdem('regdem-ptxas')}"


def random_environment(rng):
    """What the environment says to regdem-ptxas, and the variables."""
    options = {name: value for name, value in random_options(rng).items()
               if name in ("mode", "max-regs", "min-blocks", "block-size",
                           "dynamic-smem", "kernels")}
    return (Said(by_environment=True, options=options),
            {"REGDEM_" + name.upper().replace("-", "_"): str(value)
             for name, value in options.items()})


def ptxas_path(shop, rng):
    """clang without the plugin has regdem-ptxas in ptxas's place."""
    said, environment = random_environment(rng)
    said.register_cap = rng.choice((0, 0, 0) + kernels.CAPS)
    stock = clang_stock(shop, said)
    compile_device(shop, said, "finished.cubin", in_place_of_ptxas(shop),
                   **environment)
    return built(shop, stock, "finished.cubin", said)


def plugin_ptxas(shop, rng):
    """The plugin makes the PTX, and regdem-ptxas finishes the program."""
    said = random_said(rng, whole=False)
    stock = clang_stock(shop, said)
    compile_device(shop, said, "finished.cubin", in_place_of_ptxas(shop),
                   *shop.tools.plugin({**said.options, "finish": "on"}),
                   REGDEM_MODE=rng.choice(("auto", "demote")))
    return built(shop, stock, "finished.cubin", said)


def nvcc_ptxas(shop, rng):
    """regdem-ptxas assembles nvcc's PTX."""
    said, environment = random_environment(rng)
    arch = f"-arch={shop.tools.arch}"
    shop.run([shop.tools.cuda_program("nvcc"), arch, "-w", "-ptx", SOURCE, "-o",
              "program.ptx"])
    stock = stock_of(shop, [shop.tools.cuda_program("ptxas"), arch,
                            "program.ptx"], ["-v"])
    shop.run([shop.tools.regdem("regdem-ptxas"), arch, "program.ptx", "-o",
              "finished.cubin"], **environment)
    return built(shop, stock, "finished.cubin", said)


def random_dynamic(rng, said):
    """What dynamic shared memory the user states of all kernels, now and then."""
    if rng.random() < 0.4:
        said.dynamic = rng.choice(kernels.DYNAMIC)


def finish_program(shop, rng, said):
    """regdem-finish finishes program.cubin."""
    command = [shop.tools.regdem("regdem-finish"), "program.cubin", "-o",
               "finished.cubin"]
    if rng.random() < 0.5:
        command.append("--all")
    if said.dynamic is not None:
        command.append(f"--dynamic-smem={said.dynamic}")
    shop.run(command)


def finish_nvcc(shop, rng):
    """regdem-finish finishes nvcc's cubin."""
    said = Said()
    stock = stock_of(shop, [shop.tools.cuda_program("nvcc"), "-w", "-cubin",
                            f"-arch={shop.tools.arch}", SOURCE],
                     ["-Xptxas", "-v"])
    os.replace(shop.path("stock.cubin"), shop.path("program.cubin"))
    random_dynamic(rng, said)
    finish_program(shop, rng, said)
    return built(shop, stock, "finished.cubin", said)


def finish_clang(shop, rng):
    """regdem-finish finishes a cubin that clang has made with the plugin."""
    said = random_said(rng, whole=False)
    random_dynamic(rng, said)
    if said.dynamic is not None:  # Who knows it says it to both.
        said.options["dynamic-smem"] = said.dynamic
    stock = clang_stock(shop, said)
    compile_device(shop, said, "program.cubin",
                   *shop.tools.plugin({**said.options, "finish": "on"}))
    finish_program(shop, rng, said)
    return built(shop, stock, "finished.cubin", said)


# In turns; what most users do comes more often.
DOORS = {"plugin": plugin, "ptxas-path": ptxas_path, "profile": profile,
         "finish-nvcc": finish_nvcc, "launch": plugin, "nvcc-ptxas": nvcc_ptxas,
         "cache": cache, "finish-clang": finish_clang,
         "plugin-ptxas": plugin_ptxas}
