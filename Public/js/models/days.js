/** Days and ages in words, and rows that are built again when a day begins. The chat list has no use for these. */
import { dateText, dayKey, eachMidnight, hourText, midnight } from './format.js';
import { locale } from './texts.js';
import { sharedTexts } from './texts/shared.js';

const DAY = 86_400_000;
/** The least time between two builds of the rows during bursts of events: one frame. */
const FRAME = 16;
const ages = new Intl.RelativeTimeFormat(locale);

/** Heading of a day in the log: 'Today', 'Yesterday', '14 March 2026'. */
export function dayLabel(milliseconds, now) {
  const day = dayKey(milliseconds);
  if (day === dayKey(now)) return sharedTexts.today;
  if (day === dayKey(midnight(now, -1))) return sharedTexts.yesterday;
  return dateText(milliseconds);
}

/** 'last seen today at 18:03'. */
export function lastSeenText(milliseconds, now) {
  const { lastSeen, lastSeenToday, lastSeenYesterday, lastSeenDate } = sharedTexts;
  const day = dayKey(milliseconds);
  if (day === dayKey(now)) return lastSeen(lastSeenToday(hourText(milliseconds)));
  if (day === dayKey(midnight(now, -1))) return lastSeen(lastSeenYesterday(hourText(milliseconds)));
  return lastSeen(lastSeenDate(dateText(milliseconds)));
}

/** 'just now', '20 minutes ago', '3 days ago'. */
export function ageText(milliseconds, now) {
  const minutes = Math.floor((now - milliseconds) / 60_000);
  if (minutes < 1) return sharedTexts.justNow;
  if (minutes < 60) return ages.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return ages.format(-hours, 'hour');
  return ages.format(-Math.floor((now - milliseconds) / DAY), 'day');
}

/** Schedules the builds of the rows: at once, at the next frame during bursts, and at midnight. */
export class Rebuilds {
  #clock;
  #build;
  #builtAt = -Infinity;
  #soon = /** @type {unknown|null} */ (null);
  #endDays;

  /** @param {import('../viewmodels/types.js').Clock} clock @param {() => void} build @param {() => void} newDay */
  constructor(clock, build, newDay) {
    this.#clock = clock;
    this.#build = build;
    this.#endDays = eachMidnight(clock, () => {
      this.now();
      newDay();
    });
  }

  close() {
    this.#clock.clearTimeout(this.#soon);
    this.#endDays();
  }

  now() {
    this.#clock.clearTimeout(this.#soon);
    this.#soon = null;
    this.#builtAt = this.#clock.now();
    this.#build();
  }

  soon() {
    const wait = this.#builtAt + FRAME - this.#clock.now();
    if (wait <= 0) return this.now();
    this.#soon ??= this.#clock.setTimeout(() => this.now(), wait);
  }
}
