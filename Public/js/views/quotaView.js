/** The quota of requests to GitHub: a section of the settings. */
import { quotaTexts } from '../models/texts/quota.js';
import { Scope, element, set, setText } from './dom.js';
import { formError, hint, section } from './formParts.js';

export class QuotaView {
  #scope = new Scope();
  #model;
  #list = element('ul', { class: 'quota', role: 'list', 'aria-label': quotaTexts.list });
  #asks = hint();
  #limited = element('p', { class: 'limited', role: 'status' });
  #error = formError();
  node = section(quotaTexts.heading, hint(quotaTexts.hint), this.#limited, this.#list, this.#asks, this.#error);

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
    set(this.#limited, { text: limited, hidden: limited === '' });
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
