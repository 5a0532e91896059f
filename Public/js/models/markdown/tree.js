/**
 * The tree of a Markdown text: plain values, without HTML or positions. Text is a string. Types only: nothing imports
 * this file at run time.
 */

/** @typedef {{type: 'emphasis'|'strong'|'strike', children: Inline[]}} Span */
/** @typedef {{type: 'code', text: string}} CodeSpan */
/** @typedef {{type: 'html', text: string}} RawHTML shown as the text that it is */
/** @typedef {{type: 'break'}} Break */
/**
 * @typedef {object} Link
 * @property {'link'} type
 * @property {string} href as written, without escapes: not percent-encoded
 * @property {string} title
 * @property {boolean} bare whether the text is the address itself
 * @property {Inline[]} children
 */
/** @typedef {{type: 'image', href: string, title: string, children: Inline[]}} Image `children` describe it */
/** @typedef {{type: 'mention', name: string}} Mention `@name`; `name` is as written */
/** @typedef {{type: 'footnote', number: number, occurrence: number, label: string}} FootnoteReference from 1 */
/**
 * A thing on GitHub. `text` is the short form that is shown, `href` its address.
 * @typedef {object} Reference
 * @property {'reference'} type
 * @property {'issue'|'commit'|'compare'|'lines'|'person'} kind
 * @property {string} href
 * @property {string} text
 * @property {string} [login] of a person
 * @property {string} [owner]
 * @property {string} [repo]
 * @property {number} [number] of an issue, pull request or discussion
 * @property {string} [commit] its id, or for lines the branch
 * @property {string} [path] of a file
 * @property {number} [from] first line
 * @property {number} [to] last line
 */
/**
 * @typedef {string|Span|CodeSpan|RawHTML|Break|Link|Image|Mention|FootnoteReference|Reference} Inline
 */

/** @typedef {{type: 'paragraph', children: Inline[]}} Paragraph */
/** @typedef {{type: 'heading', level: number, children: Inline[]}} Heading */
/** @typedef {{type: 'rule'}} Rule */
/** @typedef {{type: 'codeBlock', info: string, text: string}} CodeBlock `text` ends with a newline unless empty */
/** @typedef {{type: 'htmlBlock', text: string}} HTMLBlock shown as the text that it is */
/** @typedef {{type: 'quote', children: Block[]}} Quote */
/** @typedef {'note'|'tip'|'important'|'warning'|'caution'} AlertKind */
/** @typedef {{type: 'alert', kind: AlertKind, children: Block[]}} Alert */
/** @typedef {{type: 'list', ordered: boolean, start: number, tight: boolean, children: Item[]}} List */
/** @typedef {{type: 'item', checked: boolean|null, children: Block[]}} Item `checked` is null outside of task lists */
/**
 * @typedef {object} Table
 * @property {'table'} type
 * @property {('left'|'right'|'center'|null)[]} columns
 * @property {Inline[][][]} rows the first is the head; the others may have fewer cells than there are columns
 */
/** @typedef {Paragraph|Heading|Rule|CodeBlock|HTMLBlock|Quote|Alert|List|Item|Table} Block */

/** @typedef {{label: string, occurrences: number, children: Block[]}} Footnote */
/**
 * @typedef {object} Document
 * @property {Block[]} children
 * @property {Footnote[]} footnotes in the order of their numbers
 * @property {{entities: boolean, emoji: boolean}} missing names that were in none of the given tables
 */

/**
 * @typedef {object} Options
 * @property {boolean} [strict] CommonMark and GFM's specification only
 * @property {(name: string) => string|null|undefined} [entity] named entities other than the common ones
 * @property {(name: string) => string|null|undefined} [emoji] shortcodes without their colons
 * @property {(name: string) => boolean} [mentions] whether `@name` is a person here
 * @property {{owner: string, repo: string}|null} [repository] what `#12` and commit ids belong to
 */
export {};
