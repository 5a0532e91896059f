// The examples of the two specifications of Markdown. bin/test installs the specifications (bin/setup.sh).
import { readFileSync } from 'node:fs';

const folder = new URL('../../../.tools/specifications/', import.meta.url);
const EXAMPLE = /^`{32} example ?(.*)\n([^]*?)^\.\n([^]*?)^`{32}$/gmu;

/**
 * @param {'commonmark'|'gfm'} name
 * @returns {{number: number, extension: string, markdown: string, html: string}[]} numbered as published
 */
export function examplesOf(name) {
  let text;
  try {
    text = readFileSync(new URL(`${name}.txt`, folder), 'utf8');
  } catch (error) {
    throw new Error(`The examples of ${name} are not installed. bin/test node installs them.`, { cause: error });
  }
  return Array.from(text.replaceAll('\r\n', '\n').matchAll(EXAMPLE), ([, extension, markdown, html], index) => ({
    number: index + 1, extension, markdown: markdown.replaceAll('→', '\t'), html: html.replaceAll('→', '\t'),
  }));
}
