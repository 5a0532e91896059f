/** A row of the directory: avatar, login, name, whether the person is here and online. */
import { sharedTexts } from '../models/texts/shared.js';
import { peopleTexts } from '../models/texts/people.js';
import { element, fill } from './dom.js';
import { RowView } from './parts.js';

/** @typedef {import('../viewmodels/types.js').PersonRow} PersonRow */

/** A placeholder for a person whose record is loading. */
const unknown = { githubId: null, login: '', name: '', initials: '', colour: null, avatarUrl: null };
const rowViews = new WeakMap();

export class PersonRowView extends RowView {
  button = this.parts.button;

  /** @param {PersonRow|number|string} item not an object: who it is, is on its way */
  constructor(item) {
    super('person-row');
    rowViews.set(this.node, this);
    this.update(item);
  }

  /** @param {PersonRow|number|string} item */
  update(item) {
    this.item = item;
    const waits = typeof item !== 'object';
    const person = waits ? unknown : item;
    const isSingle = person.name === '' || person.login === '';
    this.face.show(person);
    fill(this.parts, {
      node: { 'data-github-id': waits ? item : person.githubId },
      button: {
        'data-waiting': waits, 'data-single': isSingle, 'aria-label': waits ? peopleTexts.loading : null,
        'aria-busy': person.busy ? 'true' : null,
      },
      name: person.name || person.login,
      login: { text: isSingle ? '' : person.login, hidden: isSingle },
      place: {
        text: person.online ? peopleTexts.online : sharedTexts.member, hidden: !person.member && !person.online,
      },
    });
    this.parts.place.classList.toggle('online', Boolean(person.online));
    // Seen, the heading above the people of this Hubbub says it for all of them.
    this.parts.place.classList.toggle('visually-hidden', Boolean(person.userId) && !person.online);
  }
}

/** The line between the people on this Hubbub and GitHub's; each row says the same of itself. */
export class DividerView {
  /** @param {string} text */
  constructor(text) {
    this.node = element('li', { class: 'people-divider', 'aria-hidden': 'true' }, text);
  }

  update() {}
}

/** The row in which something happened. @param {Event} event @returns {PersonRowView|null} */
export function rowOf(event) {
  return rowViews.get(event.target instanceof Element ? event.target.closest('li') : null) ?? null;
}
