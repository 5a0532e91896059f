/** Settings of notifications: this device's switch and test, sounds, and the hours without any. */
import { notificationTexts as words } from '../../models/texts/notifications.js';
import { Scope, element, setText } from '../dom.js';
import { actions, formError, savedNote, section } from '../formParts.js';
import { button } from '../parts.js';
import { SwitchField } from '../switchField.js';

export class NotificationsSection {
  #model;
  #scope = new Scope();
  #allow;
  #hint;
  #sending;
  #receiving;
  #quiet;
  #hours = element('div', { class: 'hours' });
  #from;
  #to;
  #test = button(words.test, () => this.#model.test());
  #told = savedNote('span');
  #error = formError();
  #quietError = formError();
  node;

  /** @param {import('../../viewmodels/profile/notificationsViewModel.js').NotificationsViewModel} model */
  constructor(model) {
    this.#model = model;
    const make = (id, label, hint, change) => new SwitchField({ id, label, hint, change });
    this.#allow = make('notify-allow', words.allow, '', (on) => model.allow(on));
    this.#hint = this.#allow.node.querySelector('.field-hint');
    const { sounds, quiet } = words;
    this.#sending = make('sound-sending', sounds.sending, sounds.sendingHint, (on) => model.setSound('sending', on));
    this.#receiving = make('sound-receiving', sounds.receiving, sounds.receivingHint,
      (on) => model.setSound('receiving', on));
    this.#quiet = make('quiet', quiet.label, quiet.hint, (on) => model.setQuiet({ on }));
    this.#from = this.#time('quiet-begin', quiet.from, (value) => ({ from: value }));
    this.#to = this.#time('quiet-end', quiet.to, (value) => ({ to: value }));
    this.node = section(words.heading, this.#allow.node, actions(this.#test, this.#told), this.#error,
      this.#sending.node, this.#receiving.node, this.#quiet.node, this.#hours, this.#quietError);
    this.#scope.bind(model, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
    this.#model.close();
  }

  #time(id, label, changeOf) {
    const attributes = { type: 'time', class: 'input', id, required: true };
    const input = /** @type {HTMLInputElement} */ (element('input', attributes));
    // Not at each key: a partial time is invalid, and each one would be stored.
    input.addEventListener('change', () => input.value && this.#model.setQuiet(changeOf(input.value)));
    this.#hours.append(element('label', { for: id }, label), input);
    return input;
  }

  /** @param {import('../../viewmodels/profile/notificationsViewModel.js').NotificationsState} state */
  #show({ permission, on, push, busy, told, error, sounds, quiet }) {
    const isPossible = permission === 'default' || permission === 'granted';
    this.#allow.input.disabled = !isPossible || busy;
    this.#allow.show(on);
    const more = on && push !== null ? ` ${push ? words.withPush : words.withoutPush}` : '';
    setText(this.#hint, words.hint[permission] + more);
    this.#test.parentElement.hidden = !on;
    this.#test.disabled = busy;
    setText(this.#told, told);
    setText(this.#error, error ?? '');
    this.#sending.show(sounds.sending);
    this.#receiving.show(sounds.receiving);
    this.#quiet.input.disabled = !quiet.known;
    this.#quiet.show(quiet.on);
    this.#hours.hidden = !quiet.on;
    const times = /** @type {[HTMLInputElement, string][]} */ ([[this.#from, quiet.from], [this.#to, quiet.to]]);
    for (const [input, value] of times) {
      if (input.value !== value && document.activeElement !== input) input.value = value;
    }
    setText(this.#quietError, quiet.error ?? '');
  }
}
