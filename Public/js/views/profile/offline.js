/** The part of the settings about what this device keeps (O1). */
import { KEPT_CHOICES, PAGE_CHOICES } from '../../models/offlineSettings.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setText } from '../dom.js';

const { offline: words } = settingsTexts;

export class OfflineSection {
  #scope = new Scope();
  node;

  /** @param {import('../../viewmodels/offlineViewModel.js').OfflineViewModel} model */
  constructor(model) {
    const kept = choices('kept', words.kept, KEPT_CHOICES, (count) => model.setKept(count));
    const page = choices('page', words.page, PAGE_CHOICES, (count) => model.setPage(count));
    const hint = element('p', { class: 'field-hint' });
    this.node = element('section', { class: 'section' }, element('h2', {}, words.heading), hint, kept.node, page.node);
    this.#scope.bind(model, (state) => {
      setText(hint, state.lasting ? words.hint : words.nothingKept);
      kept.show(state.kept);
      page.show(state.page);
    });
  }

  end() {
    this.#scope.end();
  }
}

/** One of a few numbers. */
function choices(name, label, counts, change) {
  const group = element('div', { class: 'segments' });
  const inputs = new Map();
  for (const count of counts) {
    const input = /** @type {HTMLInputElement} */ (
      element('input', { type: 'radio', name: `offline-${name}`, value: String(count) })
    );
    input.addEventListener('change', () => change(count));
    inputs.set(count, input);
    group.append(element('label', {}, input, words.count(count)));
  }
  return {
    node: element('fieldset', { class: 'level' }, element('legend', {}, label), group),
    show: (chosen) => {
      for (const [count, input] of inputs) input.checked = count === chosen;
    },
  };
}
