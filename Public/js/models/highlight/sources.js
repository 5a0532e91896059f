/** Sources of patterns that many languages share. What is not closed goes on to the end of the line or text. */

const END = '(?![^])';
/** What starts with one mark and ends with another, over lines. @param {string} open @param {string} close */
export const through = (open, close) => `${open}[^]*?(?:${close}|${END})`;
/** A string within a line, with backslashes. @param {string} quote */
export const quoted = (quote) => String.raw`${quote}[^${quote}\\\n]*(?:\\[^][^${quote}\\\n]*)*${quote}?`;
/** A string over lines, with backslashes. @param {string} quote */
export const quotedLines = (quote) => String.raw`${quote}[^${quote}\\]*(?:\\[^][^${quote}\\]*)*${quote}?`;

export const SLASHES = '//[^\\n]*';
export const STARS = through(String.raw`/\*`, String.raw`\*/`);
export const HASH = '#[^\\n]*';
export const DASHES = '--[^\\n]*';
export const DOUBLE = quoted('"');
export const SINGLE = quoted("'");
export const TICKS = quotedLines('`');
/** A character such as 'a' or '\u{41}'; other apostrophes are no strings. */
export const CHARACTER = String.raw`'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'`;
export const NUMBER = String.raw`\b(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?`
  + String.raw`(?:[eE][+-]?\d+)?)[\p{L}]{0,3}\b`;
export const ANNOTATION = String.raw`@[\p{L}_][\p{L}\p{N}_.]*`;
export const VARIABLE = String.raw`\$(?:[\p{L}_][\p{L}\p{N}_]*|\{[^}\n]*\}?|[\d?#@*!$-])`;
