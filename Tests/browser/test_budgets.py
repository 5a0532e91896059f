"""Interactions that must be fast, measured in the page itself, printed with their bars. Medians, because the machines
are noisy."""

import statistics

from serving import until

# Each page records, on a clock shared by all pages on a machine, when Return was pressed and when a row was painted.
WATCH = """() => {
  const clock = () => performance.timeOrigin + performance.now();
  window.pressed = []; window.painted = {};
  document.addEventListener('keydown', e => { if (e.key === 'Enter') window.pressed.push(clock()); }, true);
  const afterPaint = work => requestAnimationFrame(() => {
    const channel = new MessageChannel(); channel.port1.onmessage = work; channel.port2.postMessage(0); });
  new MutationObserver(list => { for (const m of list) for (const n of m.addedNodes) {
    const found = n.nodeType === 1 && /ping \\d+/.exec(n.textContent);
    if (found && !(found[0] in window.painted)) { window.painted[found[0]] = 0;
      afterPaint(() => { window.painted[found[0]] = clock(); }); }
  } }).observe(document.querySelector('[role=log]'), {subtree: true, childList: true});
  window.shifts = 0;
  new PerformanceObserver(l => { for (const e of l.getEntries()) if (!e.hadRecentInput) window.shifts += e.value; })
    .observe({type: 'layout-shift', buffered: true});
}"""

ROUNDS = 40


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def test_return_to_paint_on_both_screens_is_within_the_bars(quiet_stage):
    ada, bob = quiet_stage.person("Ada").sign_up(), quiet_stage.person("Bob").sign_up()
    room = ada.chat_with(bob)
    bob.open(room)
    ada.say("warm up")
    bob.row("warm up").first.wait_for()
    for person in (ada, bob):
        person.page.evaluate(WATCH)
    for number in range(ROUNDS):
        ada.message_box.fill(f"ping {number}.")
        ada.message_box.press("Enter")
        until(lambda: bob.page.evaluate(f"window.painted['ping {number}'] || 0"), "the paint on Bob's screen")
        until(lambda: ada.page.evaluate(f"window.painted['ping {number}'] || 0"), "the paint on Ada's screen")
    pressed = ada.page.evaluate("window.pressed")
    own, other = ada.page.evaluate("window.painted"), bob.page.evaluate("window.painted")
    to_own = [own[f"ping {n}"] - pressed[n] for n in range(ROUNDS)]
    to_other = [other[f"ping {n}"] - pressed[n] for n in range(ROUNDS)]
    bars = [
        ("Return to own bubble painted", to_own, 16, 50),
        ("sender's Return to receiver's paint", to_other, 40, 100),
    ]
    print()
    for name, values, median, p95 in bars:
        print(f"budget: {name}: median {statistics.median(values):.1f} ms (bar {median}), "
              f"p95 {percentile(values, 0.95):.1f} ms (bar {p95})")
    shift = bob.page.evaluate("window.shifts")
    print(f"budget: layout shift over {ROUNDS} arrivals: {shift:.4f} (bar 0)")
    assert round(shift, 4) == 0
    # The bars are medians on a quiet machine. A failure here means a page that has become slow, not a noisy neighbour.
    for name, values, median, _ in bars:
        assert statistics.median(values) <= 3 * median, name


def test_start_to_listening_is_within_its_bar(serve):
    times = []
    for number in range(5):
        server = serve("--github", "demo", name=f"start-{number}")
        times.append(server.startup * 1000)
        assert server.stop() == 0
    print(f"\nbudget: start to listening: median {statistics.median(times):.0f} ms, "
          f"best {min(times):.0f} ms (bar 100)")
    assert min(times) <= 300


def test_first_load_is_small(quiet_stage):
    ada = quiet_stage.person("Ada").sign_up()
    session = ada.context.new_cdp_session(ada.page)
    heads, loaded = {}, {}
    # Bytes on the wire: up to the end of the head, and up to the end of the body.
    session.on("Network.responseReceived", lambda event: heads.update(
        {event["requestId"]: event["response"]}))
    session.on("Network.loadingFinished", lambda event: loaded.update(
        {event["requestId"]: event["encodedDataLength"]}))
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    ada.page.goto(ada.base + "/chats")
    ada.page.get_by_role("link", name="Chats").first.wait_for()
    until(lambda: ada.page.evaluate("performance.getEntriesByName('interactive').length"), "interactive")
    moment = ada.page.evaluate("performance.getEntriesByName('interactive')[0].startTime")

    def unfinished():
        ada.page.evaluate("0")  # lets events arrive
        # The event stream does not end.
        return [r["url"] for key, r in heads.items() if key not in loaded and r["mimeType"] != "text/event-stream"]

    until(lambda: not unfinished(), "the end of all loads")
    first = {key: response for key, response in heads.items() if key in loaded}
    sizes = {key: (loaded[key] - response["encodedDataLength"], response["encodedDataLength"])
             for key, response in first.items()}
    content, head = (sum(size[part] for size in sizes.values()) for part in (0, 1))
    print(f"\nbudget: first load: {len(heads)} requests (bar 30), {content / 1024:.1f} KiB of compressed content "
          f"(bar 60), {(content + head) / 1024:.1f} KiB with heads, interactive after {moment:.0f} ms")
    for key, response in first.items():
        print(f"  {sizes[key][0]:6} + {sizes[key][1]:4}  {response['url'][len(ada.base):]}")
    assert content <= 60 * 1024
    assert len(heads) <= 30
