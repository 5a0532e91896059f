import { settingsTexts } from './texts/settings.js';

const words = settingsTexts.sessions;

/** @type {[string, RegExp][]} in this order: most browsers also name the older ones that they want to be taken for. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/], ['Opera', /\b(?:OPR|Opera)\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Vivaldi', /Vivaldi\/(\d+)/], ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS|Chromium)\/(\d+)/], ['Safari', /Version\/(\d+)[\d.]*.*Safari\//],
];
/** @type {[string, RegExp][]} */
const SYSTEMS = [
  ['Windows', /Windows/], ['Android', /Android/], ['iPad', /iPad/], ['iPhone', /iPhone|iPod/], ['Chrome OS', /CrOS/],
  ['macOS', /Macintosh|Mac OS X/], ['Linux', /Linux|X11/],
];

/**
 * A readable name for a `User-Agent`: 'Firefox 128 on Linux'.
 * @param {string|null|undefined} text
 * @returns {string}
 */
export function browserName(text) {
  const agent = text ?? '';
  const browsers = BROWSERS.map(([name, pattern]) => ({ name, version: pattern.exec(agent)?.[1] }));
  const known = browsers.find(({ version }) => version !== undefined);
  const [system] = SYSTEMS.find(([, candidate]) => candidate.test(agent)) ?? [];
  if (known) {
    const browser = `${known.name} ${known.version}`;
    return system ? words.on(browser, system) : browser;
  }
  // Other programs put their name first: 'curl/8.5.0'.
  const [, program] = /^([A-Za-z][\w.-]{1,40})\/[\d.]+/.exec(agent) ?? [];
  if (program && program !== 'Mozilla') return program;
  return system ? words.on(words.unknown, system) : words.unknown;
}
