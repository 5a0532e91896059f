"""Scripts that the measures of the browser app run within its pages."""

# Records the largest paint, layout shifts not caused by input, the time of events until painted, and long tasks.
TIMES = """() => {
  window.times = {paint: 0, shift: 0, events: [], tasks: []};
  const watch = (type, each, more) =>
    new PerformanceObserver(list => list.getEntries().forEach(each)).observe({type, buffered: true, ...more});
  watch('largest-contentful-paint', e => { window.times.paint = e.startTime; });
  watch('layout-shift', e => { if (!e.hadRecentInput) window.times.shift += e.value; });
  watch('event', e => { if (e.name.startsWith('key') || e.name === 'input') window.times.events.push(e.duration); },
    {durationThreshold: 16});
  watch('longtask', e => window.times.tasks.push(e.duration));
}"""

# Pages back through a history. For each page: its duration and longest frame. In total: the maximum shift of the first
# visible row until a page was in place, and the maximum number of rows in the document.
PAGES_BACK = """async (pages) => {
  const log = document.querySelector('.log-scroller'), frame = () => new Promise(requestAnimationFrame);
  const rows = () => log.querySelectorAll('[data-seq]'), top = () => log.getBoundingClientRect().top;
  const found = {moved: 0, rows: 0, longest: [], took: []};
  for (let page = 0; page < pages; page += 1) {
    const earliest = rows()[0].dataset.seq;
    if (earliest === '1') break;
    log.scrollTop = 300;
    const reading = [...rows()].find(row => row.getBoundingClientRect().bottom > top());
    const offset = reading.getBoundingClientRect().top - top();
    const began = performance.now();
    let last = began, still = 0, longest = 0;
    while (still < 4) {
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      found.moved = Math.max(found.moved, Math.abs(reading.getBoundingClientRect().top - top() - offset));
      found.rows = Math.max(found.rows, rows().length);
      if (rows()[0].dataset.seq !== earliest) { if (still === 0) found.took.push(now - began); still += 1; }
      if (now - began > 10000) throw new Error('no earlier page came');
    }
    found.longest.push(longest);
  }
  return found;
}"""

# Follows the first visible row, frame by frame, until `window.enough` is set: its maximum shift.
HELD = """() => { window.held = 0; window.enough = false;
  const log = document.querySelector('.log-scroller'), top = () => log.getBoundingClientRect().top;
  const reading = [...log.querySelectorAll('[data-seq]')].find(row => row.getBoundingClientRect().bottom > top());
  const offset = reading.getBoundingClientRect().top - top();
  const look = () => { window.held = Math.max(window.held, Math.abs(reading.getBoundingClientRect().top - top() - offset));
    if (!window.enough) requestAnimationFrame(look); };
  look(); }"""

# Scrolls by so many pixels (0: a screen) for each of so many frames: the frames' times in ms.
SCROLL = """async ([selector, pixels, count]) => {
  const body = document.querySelector(selector), frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < count; n += 1) {
    body.scrollTop += pixels || body.clientHeight;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""

# From a click until its target is painted, in ms.
CLICKED = """async ([selector, wanted]) => {
  const began = performance.now(), frame = () => new Promise(requestAnimationFrame);
  document.querySelector(selector).click();
  while (!document.querySelector(wanted)) { await frame(); if (performance.now() - began > 10000) throw new Error(wanted); }
  await frame();
  await new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
  return performance.now() - began;
}"""
