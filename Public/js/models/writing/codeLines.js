/** Whether lines that are pasted look like code. */

/** What hardly any sentence has. */
const SURE = [
  /[{};]\s*(?:\/\/.*)?$/, /^\s*[}\])]+[;,)]*\s*$/, /[)\]]\s*(?:->|=>|:)\s*\S*\s*\{?$/,
  /=>|::|:=|&&|\|\||(?:!|=)={1,2}|[-+*/|]=\s/,
  /^\s*(?:\/\/|\/\*|\*\/|<!--|#!|#include\b|#define\b|@\w+\()/,
  /^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/i, /<\/[a-z][\w-]*>\s*$/i,
  /^\s*(?:import|from|export|package|using|require)\s+["'<{*\w][^ ]*(?:["'>;]|\s+(?:import|from|as)\b.*)?\s*$/,
  /^\s*(?:pub(?:lic)?|private|protected|static|async|final|override|export|abstract)\s+\w+[^.!?]*[({=:;]/,
  /^\s*(?:const|let|var|val)\s+[\w{[(][^.!?]*(?:=|:\s*\w)/, /^\s*(?:func|fn|def|function|sub|proc)\s+[\w.]*\s*[<(]/,
  /^\s*(?:class|struct|enum|interface|trait|impl|module|namespace|type)\s+\w+[^.!?]*[{:(<=]?\s*$/,
  /^\s*(?:if|for|while|switch|catch|elif|else if|with|match|guard|unless)\b.*[{:(;]\s*$/,
  /^\s*(?:if|for|while|switch)\s*\(.*\)/,
  /^\s*(?:else|try|finally|do|begin|end|fi|done|esac|then)\b\s*[:{]?\s*$/, /^\s*return\b[^.!?]*;?$/,
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|FROM|WHERE|LEFT JOIN|JOIN|GROUP BY|ORDER BY|VALUES)\b/,
  /^\s*[\w.$[\]"'*&-]+\s*(?:[-+*/|&^%]|<<|>>)?=\s*\S/, /^\s*["'][^"']+["']\s*:\s*\S/, /\w\([^)]*\)\s*[;,.{]?$/,
  /^\s*\$\s+\S/, /^>>> /,
  /^(?:@@ .*@@|diff --git |index [\da-f]{7}|(?:---|\+\+\+) [ab]?\/)/, /^[-+](?:\s{2,}|\t|[\w}]+.*[;{}()])/,
  /^\s+at \S+.*:\d+|^\s*File ".*", line \d+|^\S*(?:Error|Exception)(?::|$)|^Traceback /, /^\s*[\w.-]+:\d+(?::\d+)?:\s/,
  /^\[[\w.-]+\]\s*$/, /^(?:FROM|RUN|COPY|CMD|ENTRYPOINT|WORKDIR|ENV|EXPOSE|ARG)\s\S/,
];
/** Of configuration and shells, but also of letters: they count if other lines are indented. */
const LIKELY = [/^\s*(?:- )?[\w.-]+:(?:\s+\S+){0,3}$/, /^\s*- \S+$/, /^\s*#\s/, /^\s*--?\w[\w-]*/,
  /^\s*[a-z][\w./-]*(?:\s+-{1,2}\w[\w=-]*)+/];
const FENCED = /^[ \t]*(?:`{3,}|~{3,})/m;
/** Lines of lists and quotes of Markdown, which are no code by themselves. */
const MARKDOWN = /^\s*(?:[-*+]|\d{1,3}[.)]|>|#{1,6})\s+\p{L}+(?:\s+\p{L}+){2,}/u;
const PROSE = /^\s*\p{Lu}?[\p{L}’',-]+(?:\s+[\p{L}\p{N}’'",()-]+){3,}[.!?…:,]?\s*$/u;
const MOST = 400;

/** @param {string} pasted @returns {boolean} */
export function looksLikeCode(pasted) {
  if (FENCED.test(pasted)) return false;
  const lines = pasted.split('\n', MOST).map((line) => line.trimEnd().slice(0, 300)).filter((line) => line !== '');
  if (lines.length < 2) return false;
  const isIndented = lines.some((line) => /^(?: {2,}|\t)\S/.test(line));
  let code = 0;
  for (const line of lines) {
    if (MARKDOWN.test(line)) continue;
    if (!PROSE.test(line) && SURE.some((pattern) => pattern.test(line))) code += 1;
    else if (isIndented && LIKELY.some((pattern) => pattern.test(line))) code += 0.75;
    else if (/^(?: {2,}|\t)\S/.test(line) && !PROSE.test(line)) code += 0.5;
  }
  return code >= 1.5 && code >= lines.length / 2;
}
