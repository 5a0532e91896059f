"""Measures the HTTP server alone beside its peers: alternating rounds, medians, requests and deliveries per CPU second
of the server. Prints tables with the ratios: bin/bench --server."""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import document
import peers

ROOT = peers.ROOT
# The minimum ratio.
BARS = {
    ("small, 64 connections", "nginx"): 1.0, ("small, 64 connections", "hummingbird"): 3.0,
    ("static 30 KB, 64 connections", "nginx"): 0.9,
}
FAN_OUT_BAR, STREAM_BAR = 1.3, 5.0
CHAPTER = "## The HTTP server"
SCRIPT = """
wrk.method = "{method}"
wrk.body = {body}
{headers}
local depth = {depth}
local pipelined
init = function()
  local requests = {{}}
  for i = 1, depth do requests[i] = wrk.format() end
  pipelined = table.concat(requests)
end
request = function() return pipelined end
"""
CASES = [
    ("small, 64 connections", "small", 64, 1), ("small, 1,024 connections", "small", 1024, 1),
    ("small, 64 connections, 16 pipelined", "small", 64, 16), ("POST 1 KB, 64 connections", "post", 64, 1),
    ("static 30 KB, 64 connections", "static", 64, 1),
]


def load(peer, case, connections, depth, seconds, folder):
    """Two runs of wrk: on a separate processor for requests per second, and p50 and p99 in ms; on the server's
    processor for requests per CPU second. On separate processors, a server faster than wrk has less to do at a time,
    and does it less efficiently; on the same one, each turn finds everything that is waiting. Memory in KiB."""
    ours, *others = sorted(os.sched_getaffinity(0))
    peer.pin(ours)
    apart = wrk(peer, case, connections, depth, seconds, folder, (others or [ours])[0])
    together = wrk(peer, case, connections, depth, seconds, folder, ours)
    return {**apart, "per_cpu_second": together["per_cpu_second"], "memory_kib": peer.memory()}


def wrk(peer, case, connections, depth, seconds, folder, processor):
    """One run of wrk on a processor."""
    headers = "\n".join(f'wrk.headers["{name}"] = "{value}"' for name, value in peer.headers.items())
    body = 'string.rep("x", 1024)' if case == "post" else "nil"
    script = folder / "load.lua"
    script.write_text(SCRIPT.format(
        method="POST" if case == "post" else "GET", body=body, headers=headers, depth=depth))
    before = peer.processor_seconds()
    run = subprocess.run(
        ["taskset", "-c", str(processor), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script,
         f"http://127.0.0.1:{peer.port}{peer.paths[case]}"],
        capture_output=True, text=True, check=True)
    used = peer.processor_seconds() - before
    if "Non-2xx" in run.stdout:
        raise RuntimeError(f"{peer.name} refused: {run.stdout}")
    total = int(re.search(r"(\d+) requests in", run.stdout)[1])
    scale = {"us": 0.001, "ms": 1, "s": 1000}
    latency = {}
    for share, value, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", run.stdout):
        latency[share] = float(value) * scale[unit]
    return {
        "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", run.stdout)[1]), "per_cpu_second": total / max(used, 0.01),
        "p50_ms": latency["50"], "p99_ms": latency["99"]}


def fan_out(peer, streams, messages, rate):
    """One run of the readers; the output of BenchStreams."""
    run = subprocess.run(
        [peers.WORKBENCH / "BenchStreams", str(peer.port), "/events", "/publish", str(streams), str(messages), str(rate),
         *peer.pids],
        capture_output=True, text=True, check=True)
    result = json.loads(run.stdout.splitlines()[-1])
    if result["delivered"] < result["expected"]:
        raise RuntimeError(f"{peer.name} lost events: {result}")
    return result


def median(runs):
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def measure_requests(arguments, folder, out):
    makers = {"server": peers.server, "nginx": peers.nginx, "hummingbird": peers.hummingbird}
    makers = {name: maker for name, maker in makers.items() if name in arguments.peers}
    running = []
    try:
        for maker in makers.values():
            running.append(maker(folder, peers.free_port()))
        for title, case, connections, depth in CASES:
            results = collections.defaultdict(list)
            for _ in range(arguments.rounds):
                for peer in running:
                    if case in peer.paths:
                        results[peer.name].append(load(peer, case, connections, depth, arguments.seconds, folder))
            table(title, {name: median(runs) for name, runs in results.items()}, out)
    finally:
        for peer in running:
            peer.stop()


def table(title, results, out):
    out(f"\n### {title}\n")
    out("| server | requests/s | per CPU-second | p50 ms | p99 ms | memory KiB | ours / this |")
    out("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    ours = results.get("hubbub's server")
    for name, result in results.items():
        ratio = ""
        if ours and name != "hubbub's server":
            value = ours["per_cpu_second"] / result["per_cpu_second"]
            bar = BARS.get((title, name))
            ratio = f"{value:.2f}" + (f" (bar {bar}{'' if value >= bar else ', missed'})" if bar else "")
        out(f"| {name} | {result['per_second']:,.0f} | {result['per_cpu_second']:,.0f} | {result['p50_ms']:.2f} | "
            f"{result['p99_ms']:.2f} | {result['memory_kib']:,.0f} | {ratio} |")


def measure_streams(arguments, folder, out):
    for streams in arguments.streams:
        for rate in (20, 200):
            messages = max(20, min(400, 400_000 // streams))
            results = collections.defaultdict(list)
            # A new server for each run: the cost of idle streams shows only on one that never had any.
            for _ in range(arguments.rounds):
                for name, maker in (("server", peers.server), ("nchan", lambda f, p: peers.nginx(f, p, peers.NCHAN_MODULE))):
                    if name in arguments.peers:
                        peer = maker(folder, peers.free_port())
                        try:
                            results[peer.name].append(fan_out(peer, streams, messages, rate))
                        finally:
                            peer.stop()
            out(f"\n### Events to {streams:,} streams, {rate} published a second\n")
            out("| server | deliveries per CPU-second | p50 ms | p99 ms | KiB an idle stream | ours / this |")
            out("| --- | ---: | ---: | ---: | ---: | ---: |")
            medians = {name: median(runs) for name, runs in results.items()}
            ours = medians.get("hubbub's server")
            for name, result in medians.items():
                ratio = ""
                above = " (more than 5)" if name != "nchan" and result["kib_per_idle_stream"] > STREAM_BAR else ""
                if ours and name == "nchan":
                    value = ours["per_cpu_second"] / result["per_cpu_second"]
                    ratio = f"{value:.2f} (bar {FAN_OUT_BAR}{'' if value >= FAN_OUT_BAR else ', missed'})"
                out(f"| {name} | {result['per_cpu_second']:,.0f} | {result['p50_ms']:.1f} | {result['p99_ms']:.1f} | "
                    f"{result['kib_per_idle_stream']:.1f}{above} | {ratio} |")


def main():
    parser = argparse.ArgumentParser(prog="bin/bench --server", description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="of each run of wrk")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--streams", type=lambda text: [int(n) for n in text.split(",")], default=[1000, 5000, 15000])
    parser.add_argument("--peers", type=lambda text: text.split(","),
                        default=["server", "nginx", "hummingbird", "nchan"])
    parser.add_argument("--only", choices=["requests", "streams"])
    parser.add_argument("--write", type=pathlib.Path, help="a document whose chapter on the server the tables replace")
    arguments = parser.parse_args()
    lines = []

    def out(line):
        print(line, flush=True)
        lines.append(line)

    for line in document.head(CHAPTER, "bin/bench --server " + " ".join(sys.argv[1:])):
        out(line)
    out("\nOne worker or loop for each server; runs of all servers in turn, medians of the rounds. Requests a second and latency "
        "with wrk on the other processor; requests per processor second, user and system, with wrk on the same one. \"ours / this\" "
        "compares requests (deliveries) per processor second with `hubbub's server`, the server of this project without the program.")
    with tempfile.TemporaryDirectory(prefix="hubbub-bench-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "files").mkdir()
        (folder / "files/a.bin").write_bytes(os.urandom(30_000))
        if arguments.only != "streams":
            measure_requests(arguments, folder, out)
        if arguments.only != "requests":
            measure_streams(arguments, folder, out)
    document.put(arguments.write, CHAPTER, lines)


if __name__ == "__main__":
    main()
