/** The user's own settings of a chat: muted, pinned, and the mention level. */
import { groupTexts } from '../../models/texts/groups.js';
import { element, setText } from '../dom.js';
import { formError, hint, radioChoices, section } from '../formParts.js';
import { SwitchField } from '../switchField.js';

const words = groupTexts.mine;
const LEVELS = ['all', 'mentions', 'nothing'];

export class MySettings {
  #levels;
  #level;
  #hint = hint('', { id: 'level-hint' });
  #error = formError();
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
    this.#levels = radioChoices({
      name: 'level', options: LEVELS.map((level) => [level, words.levels[level]]),
      change: (level) => viewModel.setMine('mention_level', level),
    });
    this.#level = element('fieldset', { class: 'level', 'aria-describedby': 'level-hint' },
      element('legend', {}, words.level), this.#levels.node, this.#hint);
    this.node = section(words.heading, this.#mute.node, this.#pin.node, this.#level, this.#error);
  }

  /** @param {{room: import('../../viewmodels/groups/roomInfoViewModel.js').RoomFace, mineError: string|null}} state */
  show({ room, mineError }) {
    this.#mute.show(room.muted);
    this.#pin.show(room.pinned);
    this.#level.hidden = room.kind !== 'group';
    this.#levels.show(room.level);
    setText(this.#hint, words.levelHints[room.level] ?? '');
    setText(this.#error, mineError ?? '');
  }
}
