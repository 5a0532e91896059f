/**
 * A field that shows several lines of what is one line: Return in it sends its form, as in any other field.
 * @param {HTMLTextAreaElement} field @param {HTMLFormElement} form
 */
export function sendsByReturn(field, form) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
