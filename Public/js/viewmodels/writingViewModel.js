import { Observable } from '../models/observableArray.js';
import { looksLikeCode } from '../models/writing/codeLines.js';
import { breakLine, indentLines } from '../models/writing/lists.js';
import { asCodeBlock, linkTo, toggleMark } from '../models/writing/marks.js';
import { fenceAt, itemOf, lineAt } from '../models/writing/structure.js';

/** @typedef {import('../models/writing/structure.js').Writing} Writing */

const MARKS = { b: 'bold', i: 'italic', e: 'code', k: 'link' };
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/**
 * @typedef {object} Key
 * @property {string} name of the key; a letter in lower case
 * @property {boolean} shift
 * @property {boolean} command Ctrl, on a Mac ⌘
 * @property {boolean} sends whether it sends the message where nothing else is meant
 * @property {boolean} cancels whether Escape ends a reply or an edit
 */

/**
 * What keys and pasted texts do to a message that is being written, and its preview.
 * @extends {Observable<{offersCode: boolean, previews: boolean, isEmpty: boolean, tabLeaves: boolean}>}
 */
export class WritingViewModel extends Observable {
  /** Lines that look like code. */
  #pasted = '';

  constructor() {
    super({ offersCode: false, previews: false, isEmpty: true, tabLeaves: false });
  }

  /** The text changed. @param {string} text */
  typed(text) {
    if (!text.includes(this.#pasted)) this.#pasted = '';
    const isEmpty = text.trim() === '';
    // After it is sent, the next message begins without a preview.
    const previews = this.state.previews && text !== '';
    this.update({ isEmpty, previews, offersCode: this.#pasted !== '' });
  }

  /**
   * @param {Key} key @param {Writing} writing
   * @returns {Writing|null} the writing after it, which may be as it was; null if the key is left to the field
   */
  press(key, writing) {
    const { name, shift, command } = key;
    if (name === 'Escape') return this.#escape(key, writing);
    const { tabLeaves } = this.state;
    if (!MODIFIERS.has(name)) this.update({ tabLeaves: false });
    if (name === 'Tab') return tabLeaves ? null : indentLines(writing, shift);
    if (name === 'Enter') return this.#breakLine(key, writing);
    if (command && shift && name === 'p') return this.togglePreview(), writing;
    const hasSelection = writing.start < writing.end;
    // Without a selection the key searches, as everywhere.
    if (!command || shift || !Object.hasOwn(MARKS, name) || (name === 'k' && !hasSelection)) return null;
    if (name === 'e' && !hasSelection && this.state.offersCode) return this.makeCode(writing);
    return toggleMark(writing, MARKS[name]);
  }

  #breakLine({ command, sends }, writing) {
    if (command || (sends && !fenceAt(writing.text, writing.start))) return null;
    return breakLine(writing);
  }

  #escape({ cancels }, writing) {
    const { previews, offersCode, tabLeaves } = this.state;
    if (previews) return this.togglePreview(), writing;
    if (offersCode) return this.dismiss(), writing;
    if (tabLeaves || this.toolsAt(writing).length === 0) return null;
    this.update({ tabLeaves: true });
    return cancels ? null : writing;
  }

  /** @param {string} pasted @param {Writing} writing before it @returns {Writing|null} null: it is pasted as it is */
  paste(pasted, writing) {
    const linked = linkTo(writing, pasted);
    if (linked) return linked;
    const lines = pasted.replaceAll(/\r\n?/g, '\n');
    const isOffered = looksLikeCode(lines) && !fenceAt(writing.text, writing.start);
    this.#pasted = isOffered ? lines : '';
    return null;
  }

  /** Makes a code block of what was pasted. @param {Writing} writing @returns {Writing} */
  makeCode({ text, start, end }) {
    const at = text.lastIndexOf(this.#pasted);
    const range = at === -1 ? { start, end } : { start: at, end: at + this.#pasted.length };
    this.dismiss();
    return asCodeBlock({ text, ...range });
  }

  /** Leaves what was pasted as it is. */
  dismiss() {
    this.#pasted = '';
    this.update({ offersCode: false });
  }

  togglePreview() {
    this.update({ previews: !this.state.previews && !this.state.isEmpty });
  }

  /** The field lost the focus, or the caret was moved. */
  moved() {
    this.update({ tabLeaves: false });
  }

  /** @param {'bold'|'italic'|'code'|'link'|'indent'|'outdent'} tool @param {Writing} writing @returns {Writing} */
  use(tool, writing) {
    if (tool === 'indent' || tool === 'outdent') return indentLines(writing, tool === 'outdent') ?? writing;
    return toggleMark(writing, tool);
  }

  /** What can be done here, for who has no keys. @param {Writing} writing */
  toolsAt({ text, start, end }) {
    const isCode = fenceAt(text, start) !== null;
    const marks = start < end && !isCode ? ['bold', 'italic', 'code', 'link'] : [];
    const isMovable = isCode || itemOf(lineAt(text, start).line)?.marker;
    return /** @type {const} */ ([...marks, ...(isMovable ? ['outdent', 'indent'] : [])]);
  }
}
