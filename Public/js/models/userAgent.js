import { settingsTexts } from './texts/settings.js';

const words = settingsTexts.sessions;

/** In this order: most browsers also name the older ones that they want to be taken for. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/], ['Opera', /\b(?:OPR|Opera)\/(\d+)/], ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Vivaldi', /Vivaldi\/(\d+)/], ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS|Chromium)\/(\d+)/], ['Safari', /Version\/(\d+)[\d.]*.*Safari\//],
];
const SYSTEMS = [
  ['Windows', /Windows/], ['Android', /Android/], ['iPad', /iPad/], ['iPhone', /iPhone|iPod/], ['Chrome OS', /CrOS/],
  ['macOS', /Macintosh|Mac OS X/], ['Linux', /Linux|X11/],
];

/**
 * What a person calls the program behind a `User-Agent`: 'Firefox 128 on Linux'.
 * @param {string|null|undefined} text
 * @returns {string}
 */
export function browserName(text) {
  const agent = text ?? '';
  const [name, pattern] = BROWSERS.find(([, candidate]) => candidate.test(agent)) ?? [];
  const [system] = SYSTEMS.find(([, candidate]) => candidate.test(agent)) ?? [];
  if (name) {
    const browser = `${name} ${pattern.exec(agent)[1]}`;
    return system ? words.on(browser, system) : browser;
  }
  // Programs name themselves first: 'curl/8.5.0'.
  const [, program] = /^([A-Za-z][\w.-]{1,40})\/[\d.]+/.exec(agent) ?? [];
  if (program && program !== 'Mozilla') return program;
  return system ? words.on(words.unknown, system) : words.unknown;
}
