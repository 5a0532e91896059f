/** What a chat is for oneself alone: muted, pinned, and how much one wants to hear of it. */
import { groupTexts } from '../../models/texts/groups.js';
import { element, setText } from '../dom.js';
import { SwitchField } from '../switchField.js';

const words = groupTexts.mine;
const LEVELS = ['all', 'mentions', 'nothing'];

export class MySettings {
  #levels = new Map();
  #level;
  #hint = element('p', { class: 'field-hint', id: 'level-hint' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  #mute;
  #pin;
  node;

  /** @param {import('../../viewmodels/groups/roomInfoViewModel.js').RoomInfoViewModel} viewModel */
  constructor(viewModel) {
    this.#mute = new SwitchField({
      id: 'mine-muted', label: words.mute, hint: words.muteHint, change: (on) => viewModel.setMine('muted', on),
    });
    this.#pin = new SwitchField({
      id: 'mine-pinned', label: words.pin, hint: words.pinHint, change: (on) => viewModel.setMine('pinned', on),
    });
    const choices = element('div', { class: 'segments' });
    for (const level of LEVELS) {
      const input = /** @type {HTMLInputElement} */ (element('input', { type: 'radio', name: 'level', value: level }));
      input.addEventListener('change', () => viewModel.setMine('mention_level', level));
      this.#levels.set(level, input);
      choices.append(element('label', {}, input, words.levels[level]));
    }
    this.#level = element('fieldset', { class: 'level', 'aria-describedby': 'level-hint' },
      element('legend', {}, words.level), choices, this.#hint);
    this.node = element('section', { class: 'section' },
      element('h2', {}, words.heading), this.#mute.node, this.#pin.node, this.#level, this.#error);
  }

  /** @param {{room: import('../../viewmodels/groups/roomInfoViewModel.js').RoomFace, mineError: string|null}} state */
  show({ room, mineError }) {
    this.#mute.show(room.muted);
    this.#pin.show(room.pinned);
    this.#level.hidden = room.kind !== 'group';
    for (const [level, input] of this.#levels) if (input.checked !== (level === room.level)) input.checked = level === room.level;
    setText(this.#hint, words.levelHints[room.level] ?? '');
    setText(this.#error, mineError ?? '');
  }
}
