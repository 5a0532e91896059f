/** The part of the settings about what this device keeps. */
import { KEPT_CHOICES, PAGE_CHOICES } from '../../models/keptMessages.js';
import { number } from '../../models/texts.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setText } from '../dom.js';
import { hint as hintLine, radioChoices, section } from '../formParts.js';

const { offline: words } = settingsTexts;

export class OfflineSection {
  #scope = new Scope();
  node;

  /** @param {import('../../viewmodels/offlineViewModel.js').OfflineViewModel} model */
  constructor(model) {
    const kept = choices('kept', words.kept, KEPT_CHOICES, (count) => model.setKept(count));
    const page = choices('page', words.page, PAGE_CHOICES, (count) => model.setPage(count));
    const hint = hintLine();
    this.node = section(words.heading, hint, kept.node, page.node);
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
  const options = counts.map((count) => [count, number.format(count)]);
  const { node, show } = radioChoices({ name: `offline-${name}`, options, change });
  return { node: element('fieldset', { class: 'level' }, element('legend', {}, label), node), show };
}
