#!/usr/bin/env python3
"""Runs `mandala` into its limits and measures from outside whether they are kept.

    measure_limits.py BINARY MODELS [--only WORD] [--runs N] [--seed N]

MODELS is the folder of the models with known answers. Each line that is printed is one run: ok or BROKEN, the time and the
resident memory of the process, the processor seconds that it used after its time was over or the first signal came (which a busy
machine does not make more), its exit status, and the command. A limit is kept if

    --memory   the process has at most a tenth and 30 MB more in memory (and still ends by the timeout),
    --timeout  it ends within a second,
    a signal   it ends within a second after the first one,

and in each case standard output has the answer (one JSON object where JSON was asked for) and the exit status is 3, or that of an
answer which was found in time.
"""

import argparse, json, os, random, signal, subprocess, sys, tempfile, threading, time

SLACK = 30 << 20


def processor_seconds(pid):
    """What a process has used so far; nothing if it has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return None


def run(binary, arguments, stop=None, limit=None, patience=60.0):
    """One run: (status, seconds, processor seconds after the limit, bytes, output, errors). `stop` is a list of (seconds, signal),
    and `limit` the seconds after which it is to end."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([binary] + arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        timers = []
        for after, number in list(stop or []) + [(patience, signal.SIGKILL)]:
            timers.append(threading.Timer(after, lambda number=number: os.kill(process.pid, number)))
        used = []
        if limit is not None:
            timers.append(threading.Timer(limit, lambda: used.append(processor_seconds(process.pid))))
        for timer in timers:
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        for timer in timers:
            timer.cancel()
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        after = usage.ru_utime + usage.ru_stime - used[0] if used and used[0] is not None else 0.0
        out.seek(0)
        err.seek(0)
        return process.returncode, seconds, after, usage.ru_maxrss * 1024, out.read().decode(), err.read().decode()


def has_answer(arguments, output):
    if "--json" in arguments:
        try:
            return isinstance(json.loads(output), dict)
        except ValueError:
            return False
    return output.strip() != ""


def size(text):
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


def cases(models, folder, generated):
    """(name, arguments) of work that is long or large, by what it does."""
    pt, hard, formulas = models + "/mcc-pt-large/", models + "/mcc-pt-hard/", models + "/mcc-pt-formulas/"
    colours, programs = models + "/mcc-col-large/", models + "/beem-dve-large/"
    for net in ["Anderson-PT-06", "EisenbergMcGuire-PT-04", "ShieldRVt-PT-100A", "NQueens-PT-10", "ASLink-PT-05a", "Raft-PT-10",
                "FMS-PT-50000", "Kanban-PT-50000", "HouseConstruction-PT-32000", "SmartHome-PT-19", "TwoPhaseLocking-PT-nC10000vN",
                "BusinessProcesses-PT-19", "DNAwalker-PT-17redondantChoiceL", "Solitaire-PT-SqrNC5x5", "Peterson-PT-5",
                "SatelliteMemory-PT-X01500Y0046", "CloudOpsManagement-PT-00080by00040", "Sudoku-PT-AN04", "FunctionPointer-PT-b128"]:
        yield "states " + net, ["states", pt + net]
        yield "deadlock " + net, ["check", pt + net, "--deadlock"]
    for net in ["DES-PT-20b", "HouseConstruction-PT-04000", "RwMutex-PT-r0500w0010", "Kanban-PT-02000", "Szymanski-PT-a10",
                "SieveSingleMsgMbox-PT-d0m64", "Diffusion2D-PT-D40N100"]:
        yield "states " + net, ["states", hard + net]
        yield "states --reductions off " + net, ["states", hard + net, "--reductions", "off"]
        yield "trace " + net, ["check", hard + net, "--deadlock", "--trace"]
        yield "info " + net, ["info", hard + net]
    for net in ["Anderson-PT-07", "Peterson-PT-4", "ASLink-PT-05a"]:
        yield "explicit " + net, ["states", pt + net, "--strategy", "explicit"]
        yield "symmetry " + net, ["states", pt + net, "--symmetry", "auto"]
        yield "bfs " + net, ["states", pt + net, "--strategy", "bfs"]
    for net in ["LamportFastMutEx-PT-4", "ASLink-PT-06a", "HirschbergSinclair-PT-45", "Medical-PT-10", "FMS-PT-20000"]:
        for kind in ["CTLFireability", "LTLCardinality", "LTLFireability", "ReachabilityCardinality", "UpperBounds"]:
            yield f"{kind} {net}", ["check", formulas + net, "--properties", f"{formulas}{net}/{kind}.xml"]
        yield "ltl trace " + net, ["check", formulas + net, "--properties", f"{formulas}{net}/LTLCardinality.xml", "--trace"]
    for net in ["SharedMemory-COL-010000", "GlobalResAllocation-COL-06", "PhilosophersDyn-COL-80", "SafeBus-COL-10",
                "VehicularWifi-COL-none", "FamilyReunion-COL-L00100M0010C005P005G002"]:
        yield "states " + net, ["states", colours + net]
        yield "symbolic " + net, ["states", colours + net, "--symmetry", "auto"]
        for engine in ["list", "sets", "counting", "tensors"]:
            yield f"symbolic {engine} {net}", ["states", colours + net, "--symbolic", engine]
        yield "symbolic deadlock " + net, ["check", colours + net, "--symmetry", "auto", "--deadlock", "--trace"]
        yield "convert " + net, ["convert", colours + net, os.devnull, "--to", "pnml", "--unfold"]
        yield "info " + net, ["info", colours + net]
    for program in ["anderson.8", "lup.4", "telephony.4", "elevator_planning.2", "peg_solitaire.4", "szymanski.5", "iprotocol.6"]:
        file = programs + program + ".dve"
        yield "states " + program, ["states", file]
        yield "explicit " + program, ["states", file, "--strategy", "explicit"]
        yield "deadlock " + program, ["check", file, "--deadlock", "--trace"]
    for name in ["database", "peterson", "client-server", "philosophers"]:
        file = generated.pop("coloured " + name)
        for engine in ["list", "sets", "counting", "tensors"]:
            yield f"symbolic {engine} {name}", ["states", file, "--symbolic", engine]
        yield f"symbolic info {name}", ["info", file]
        yield f"dump {name}", ["states", file, "--dump", folder + "/dump.json", "--dump-states", "10000000"]
    program, ring = generated.pop("program"), generated.pop("ring")
    for name, formula in [("LTL", "G(x0 == 0 -> F x1 == 1)"), ("CTL", "AG(EF(x0 == 0))"), ("CTL*", "A(G F x0 == 0) || E(F G x1 == 2)"),
                          ("bounds", "[bounds] : x0 + x1")]:
        for fairness in [[], ["--fair", "weak"], ["--fair", "strong"]]:
            yield f"{name} {' '.join(fairness)}", ["check", program, "-f", formula, "--trace"] + fairness
        yield f"explicit {name}", ["check", program, "-f", formula, "--strategy", "explicit"]
    formula = "G(at[0]:fork == 0 -> F at[0]:fork == 1)"
    for symmetry in ["off", "auto", "explore", "select", "list"]:
        yield f"composite {symmetry}", ["states", ring, "--symmetry", symmetry]
        yield f"composite LTL {symmetry}", ["check", ring, "-f", formula, "--fair", "weak:eat, takeLeft", "--symmetry", symmetry]
    yield "simulate", ["simulate", program, "--steps", "1000000", "--json"]
    yield "simulate wide", ["simulate", generated["600,000 places"], "--steps", "10"]
    yield "dump program", ["states", program, "--dump", folder + "/dump.aut"]
    for name, file in generated.items():
        yield "simulate " + name, ["simulate", file, "--steps", "10"]
        yield "reduce " + name, ["convert", file, "/dev/null", "--to", "gal", "--reduce"]
        yield "states " + name, ["states", file]
        yield "info " + name, ["info", file]
        yield "draw " + name, ["draw", file, "-o", "/dev/null", "--format", "svg", "--most", "1000000"]
        yield "convert " + name, ["convert", file, "/dev/null", "--to", "gal", "--flatten"]
    yield "generate", ["generate", "philosophers", "100000", "--shape", "flat", "-o", "/dev/null"]


def generate(binary, folder):
    """Models of which reading, orders and invariants take long."""
    files = {}
    for name, size_of in [("philosophers", "100000"), ("slotted-ring", "3000"), ("kanban", "2000")]:
        files[name] = f"{folder}/{name}.gal"
        subprocess.run([binary, "generate", name, size_of, "--shape", "flat", "-o", files[name]], check=True)
    for name, size_of in [("database", "60"), ("peterson", "14"), ("client-server", "40"), ("philosophers", "60")]:
        files["coloured " + name] = f"{folder}/{name}.sn"
        subprocess.run([binary, "generate", name, size_of, "--shape", "coloured", "-o", files["coloured " + name]], check=True)
    files["ring"] = f"{folder}/ring.gal"
    subprocess.run([binary, "generate", "philosophers", "400", "-o", files["ring"]], check=True)
    files["program"] = f"{folder}/program.gal"
    with open(files["program"], "w") as out:
        out.write("gal numbers {\n")
        out.writelines(f"int x{i} = 0;\n" for i in range(12))
        out.writelines(f"transition t{i} [x{i} < 40] {{ x{i} = x{i} + 1; x{(i + 5) % 12} = (x{(i + 5) % 12} * 7 + x{i}) % 41; }}\n"
                       for i in range(12))
        out.write("}\n")
    files["600,000 places"] = f"{folder}/places.gal"
    with open(files["600,000 places"], "w") as out:
        out.write("net wide {\n")
        out.writelines(f"place p{i} = {i % 2};\n" for i in range(600000))
        out.writelines(f"transition t{i} {{ take p{i}; put p{(i * 7 + 1) % 600000}; }}\n" for i in range(600000))
        out.write("}\n")
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("models")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    broken = total = 0
    with tempfile.TemporaryDirectory() as folder:
        work = [one for one in cases(options.models, folder, generate(options.binary, folder)) if options.only in one[0]]
        for _ in range(options.runs):
            name, arguments = dice.choice(work)
            if arguments[0] in ("states", "check", "info", "simulate") and "--json" not in arguments and dice.random() < 0.5:
                arguments = arguments + ["--json"]
            kind = dice.choice(["memory", "time", "signal", "signal"])
            stop, most_seconds, most_bytes, limit, said = None, 60, 1 << 40, None, ""
            if arguments[0] == "generate":
                kind = "signal"
            if kind == "memory":
                said = dice.choice(["20M", "50M", "100M", "500M"])
                most_bytes = size(said) * 11 // 10 + SLACK
                arguments = arguments + ["--memory", said, "--timeout", "20s"]
                most_seconds, limit = 21.0, 20.0
            elif kind == "time":
                seconds = dice.choice([0.05, 0.2, 0.5, 1.0, 3.0])
                arguments = arguments + ["--timeout", f"{seconds}s", "--memory", "4G"]
                most_seconds, limit = seconds + 1.0, seconds
            else:
                after, number = dice.uniform(0.02, 2.0), dice.choice([signal.SIGINT, signal.SIGTERM])
                stop = [(after, number)] + dice.choice([[], [(after + 0.001, number)], [(after + 0.1, number)]])
                arguments = arguments + ([] if arguments[0] == "generate" else ["--memory", "4G"])
                most_seconds, limit = after + 1.0, after
                said = f"{signal.Signals(number).name} after {after:.2f} s, {len(stop)} times"
            # On a busy machine a run may be late that is not late by itself.
            for _ in range(3):
                status, seconds, late, used, output, errors = run(options.binary, arguments, stop, limit)
                if seconds <= most_seconds:
                    break
            wrong = []
            if seconds > most_seconds:
                wrong.append(f"{seconds - most_seconds:.2f} s late")
            if used > most_bytes:
                wrong.append(f"{used >> 20} MB for {said}")
            # Without an answer to tell, a signal may end it as it ends any program.
            is_refused = status == 2 and "--symbolic" in arguments and "error: no class" in errors
            if is_refused:
                arguments = [arguments[0] + " refused"] + arguments[1:]
            elif status not in (0, 1, 3) and not (arguments[0] == "generate" and status < 0):
                wrong.append(f"status {status}")
            if arguments[0] in ("states", "check", "info", "simulate") and not has_answer(arguments, output):
                wrong.append("no answer")
            total += 1
            broken += bool(wrong)
            line = f"{'BROKEN' if wrong else 'ok':6} {seconds:6.2f} s {used >> 20:5} MB  {late:4.2f} s after  status {status}  {name}  [{said}] "
            print(line + " ".join(arguments[2:]), *(["<--", *wrong] if wrong else []), flush=True)
            if wrong:
                print("       ", errors.strip().replace("\n", " | ")[:300], "/", output.strip().replace("\n", " | ")[:200], flush=True)
    print(f"{broken} of {total} runs broke their limit")
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
