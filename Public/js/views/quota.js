/** How much may be asked of GitHub: a quiet section of the settings. */
import { quotaTexts } from '../models/texts/quota.js';
import { Scope, element, setText } from './dom.js';

export class QuotaView {
  #scope = new Scope();
  #model;
  #list = element('ul', { class: 'quota', role: 'list', 'aria-label': quotaTexts.list });
  #asks = element('p', { class: 'field-hint' });
  #limited = element('p', { class: 'limited', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  node = element(
    'section',
    { class: 'section' },
    element('h2', {}, quotaTexts.heading),
    element('p', { class: 'field-hint' }, quotaTexts.hint),
    this.#limited,
    this.#list,
    this.#asks,
    this.#error,
  );

  /** @param {import('../viewmodels/quotaViewModel.js').QuotaViewModel} model */
  constructor(model) {
    this.#model = model;
    this.#scope.bind(model, (state) => this.#show(state));
    model.open();
  }

  end() {
    this.#scope.end();
    this.#model.close();
  }

  #show({ known, rows, asks, limited, error }) {
    this.#list.replaceChildren(...rows.map(rowNode));
    this.#list.hidden = rows.length === 0;
    setText(this.#asks, [known && rows.length === 0 ? quotaTexts.unknown : '', asks].filter(Boolean).join(' '));
    setText(this.#limited, limited);
    this.#limited.hidden = limited === '';
    setText(this.#error, error ?? '');
  }
}

function rowNode({ name, left, full, resetAt, share }) {
  const bar = element('i', { class: 'share', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', share.toFixed(3));
  const time = element('time', { datetime: resetAt }, full);
  const words = element('span', { class: 'left number' }, left, full ? ', ' : '', time);
  return element('li', {}, element('span', { class: 'what' }, name), words, bar);
}
