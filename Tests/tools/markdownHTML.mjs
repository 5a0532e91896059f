// Writes the tree of a Markdown text as the HTML in which CommonMark and GFM give their examples. Only tests and
// Tests/tools/markdown.mjs use it: the app makes elements.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHTML = (text) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]);

/** An address, percent-encoded where the specifications' examples are. */
function encoded(href) {
  const unreserved = /%[\dA-Fa-f]{2}|[\w\-.!~*'();/?:@&=+$,#]+/gu;
  let text = '';
  let end = 0;
  const encode = (part) => encodeURIComponent(part.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'));
  for (const { 0: kept, index } of href.matchAll(unreserved)) {
    text += encode(href.slice(end, index)) + kept;
    end = index + kept.length;
  }
  return escapeHTML(text + encode(href.slice(end)));
}

const titled = (title) => (title ? ` title="${escapeHTML(title)}"` : '');

/** The text of an image's description, without marks. */
function described(children) {
  const left = [...children].reverse();
  let text = '';
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node === 'string') text += node.replaceAll('\n', ' ');
    else if (node.children) left.push(...[...node.children].reverse());
    else text += node.type === 'break' ? ' ' : node.text ?? '';
  }
  return text;
}

/** A step of writing: HTML as it is, a newline unless there is one, or a node of the tree. */
const raw = (html) => ({ type: 'raw', html });
const LINE = { type: 'line' };
const boxOf = (checked) =>
  (checked === null ? '' : `<input${checked ? ' checked=""' : ''} disabled="" type="checkbox"> `);
const wrap = (tag, children) => [raw(`<${tag}>`), ...children, raw(`</${tag}>`)];
const block = (tag, children) => [LINE, raw(`<${tag}>`), ...children, raw(`</${tag}>\n`)];
const section = (open, close, children) => [LINE, raw(`${open}\n`), ...children, LINE, raw(`${close}\n`)];
/** Paragraphs of a tight list have no tags. */
const tightly = (children) => children.flatMap((child) => (child.type === 'paragraph' ? child.children : [child]));

function row(tag, cells, columns) {
  const written = columns.flatMap((align, index) => [
    raw(`<${tag}${align ? ` align="${align}"` : ''}>`), ...cells[index] ?? [], raw(`</${tag}>\n`),
  ]);
  return [raw('<tr>\n'), ...written, raw('</tr>\n')];
}

function footnoteSection(footnotes) {
  const items = footnotes.flatMap(({ label, occurrences, children }) => {
    const id = encodeURIComponent(label);
    const back = Array.from({ length: occurrences }, (_, index) => {
      const suffix = index === 0 ? '' : `-${index + 1}`;
      return ` <a href="#fnref-${id}${suffix}" class="footnote-backref" data-footnote-backref>↩${suffix.slice(1)}</a>`;
    }).join('');
    const last = children.at(-1);
    const isText = last?.type === 'paragraph';
    const content = isText ? [...children.slice(0, -1), { ...last, children: [...last.children, raw(back)] }]
      : [...children, LINE, raw(back.trim())];
    return [LINE, raw(`<li id="fn-${id}">\n`), ...content, LINE, raw('</li>\n')];
  });
  return [LINE, raw('<section class="footnotes" data-footnotes>\n<ol>\n'), ...items, raw('</ol>\n</section>\n')];
}

/** The steps of a node's writing. @type {Record<string, (node: any, writeRaw: (html: string) => string) => any[]>} */
const STEPS = {
  paragraph: ({ children }) => block('p', children),
  heading: ({ level, children }) => block(`h${level}`, children),
  rule: () => [LINE, raw('<hr />\n')],
  codeBlock: ({ info, text }) => {
    const language = info.split(/[ \t\n]/u)[0];
    const attribute = language ? ` class="language-${escapeHTML(language)}"` : '';
    return [LINE, raw(`<pre><code${attribute}>${escapeHTML(text)}</code></pre>\n`)];
  },
  htmlBlock: ({ text }, writeRaw) => [LINE, raw(`${writeRaw(text)}\n`)],
  quote: ({ children }) => section('<blockquote>', '</blockquote>', children),
  alert: ({ kind, children }) => section(`<div class="markdown-alert markdown-alert-${kind}">\n`
    + `<p class="markdown-alert-title">${kind[0].toUpperCase()}${kind.slice(1)}</p>`, '</div>', children),
  list: ({ ordered, start, tight, children }) => {
    const tag = ordered ? 'ol' : 'ul';
    const items = children.flatMap(({ checked, children: [first, ...rest] }) => {
      const isText = first?.type === 'paragraph';
      const box = boxOf(checked);
      const marked = box && isText ? { ...first, children: [raw(box), ...first.children] } : first;
      const content = first ? [marked, ...rest] : [];
      return [LINE, raw('<li>'), ...tight ? tightly(content) : content, raw('</li>\n')];
    });
    return section(`<${tag}${ordered && start !== 1 ? ` start="${start}"` : ''}>`, `</${tag}>`, items);
  },
  table: ({ columns, rows: [head, ...body] }) => section('<table>', '</table>', [
    raw('<thead>\n'), ...row('th', head, columns), raw('</thead>\n'),
    ...body.length === 0 ? []
      : [raw('<tbody>\n'), ...body.flatMap((cells) => row('td', cells, columns)), raw('</tbody>\n')],
  ]),
  emphasis: ({ children }) => wrap('em', children),
  strong: ({ children }) => wrap('strong', children),
  strike: ({ children }) => wrap('del', children),
  code: ({ text }) => [raw(`<code>${escapeHTML(text)}</code>`)],
  html: ({ text }, writeRaw) => [raw(writeRaw(text))],
  break: () => [raw('<br />\n')],
  link: ({ href, title, children }) => [raw(`<a href="${encoded(href)}"${titled(title)}>`), ...children, raw('</a>')],
  image: ({ href, title, children }) => [
    raw(`<img src="${encoded(href)}" alt="${escapeHTML(described(children))}"${titled(title)} />`),
  ],
  mention: ({ name }) => [
    raw(`<a class="user-mention" href="https://github.com/${encoded(name)}">@${escapeHTML(name)}</a>`),
  ],
  reference: ({ kind, href, text }) => [raw(`<a class="${kind}-link" href="${encoded(href)}">${escapeHTML(text)}</a>`)],
  footnote: ({ number, occurrence, label }) => {
    const id = encodeURIComponent(label);
    const place = occurrence === 1 ? id : `${id}-${occurrence}`;
    const link = `<a href="#fn-${id}" id="fnref-${place}" data-footnote-ref>${number}</a>`;
    return [raw(`<sup class="footnote-ref">${link}</sup>`)];
  },
};

/**
 * @param {import('../../Public/js/models/markdown/tree.js').Document} document
 * @param {(html: string) => string} [writeRaw] what raw HTML becomes
 */
export function writeHTML(document, writeRaw = escapeHTML) {
  const written = [];
  let isLineStart = true;
  const write = (html) => {
    if (html === '') return;
    written.push(html);
    isLineStart = html.endsWith('\n');
  };
  // A list of what is left, the next one last, since a tree may be deeper than the stack of calls.
  const left = document.footnotes.length > 0 ? footnoteSection(document.footnotes).reverse() : [];
  const push = (steps) => { for (let index = steps.length - 1; index >= 0; index -= 1) left.push(steps[index]); };
  push(document.children);
  while (left.length > 0) {
    const step = left.pop();
    if (typeof step === 'string') write(escapeHTML(step));
    else if (step.type === 'raw') write(step.html);
    else if (step.type === 'line') write(isLineStart ? '' : '\n');
    else push(STEPS[step.type](step, writeRaw));
  }
  return written.join('');
}
