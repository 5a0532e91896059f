/** Changes of a text field that the browser's undo knows of. */

/**
 * Replaces what differs, and selects.
 * @param {HTMLTextAreaElement} field
 * @param {{text: string, start: number, end: number}} writing
 */
export function changeField(field, { text, start, end }) {
  if (field.readOnly) return;
  const before = field.value;
  if (text !== before) {
    const { from, to, by } = difference(before, text);
    field.focus({ preventScroll: true });
    field.setSelectionRange(from, to);
    const isDone = by === '' ? document.execCommand('delete') : document.execCommand('insertText', false, by);
    // Engines without it lose their undo, but not the text.
    if (!isDone || field.value !== text) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  field.setSelectionRange(start, end);
}

function difference(before, text) {
  const most = Math.min(before.length, text.length);
  let from = 0;
  while (from < most && before[from] === text[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  // Whole characters only.
  if (/[\ud800-\udbff]/.test(before[from - 1] ?? '')) from -= 1;
  if (tail > 0 && /[\udc00-\udfff]/.test(before.at(-tail) ?? '')) tail -= 1;
  return { from, to: before.length - tail, by: text.slice(from, text.length - tail) };
}
