/** The colours of a code block. The table of its language is loaded when it is first needed. */
import { languageOf } from './languages.js';
import { lex, lexDiff } from './lexer.js';

const FAMILIES = {
  curly: () => import('./curly.js'),
  scripts: () => import('./scripts.js'),
  data: () => import('./data.js'),
};

/**
 * @param {string} text @param {string} info behind the fence
 * @returns {Promise<import('./lexer.js').Token[]>} none for a language without a table
 */
export async function highlight(text, info) {
  const language = languageOf(info);
  if (!language) return [];
  if (language.family === 'lines') return lexDiff(text);
  const { grammars } = await FAMILIES[language.family]();
  return lex(text, grammars[language.name]);
}
