/** A row of the directory: avatar, login, name, whether the person is here and online (D6). */
import { texts } from '../models/texts.js';
import { Avatar } from './avatar.js';
import { element, setAttribute, setText } from './dom.js';

/** @typedef {import('../viewmodels/types.js').PersonRow} PersonRow */

/** Stands for somebody whose record is on its way: that there is somebody is all that is known. */
const unknown = { githubId: null, login: '', name: '', initials: '', colour: null, avatarUrl: null };
const rowViews = new WeakMap();

export class PersonRowView {
  #avatar = new Avatar(40);
  #name = element('span', { class: 'name', dir: 'auto' });
  #login = element('span', { class: 'preview' });
  #place = element('span', { class: 'place member' });
  button = element('button', { type: 'button', class: 'row person' });
  node = element('li', {}, this.button);
  /** @type {PersonRow|number} a number: who it is, is on its way */
  item;

  /** @param {PersonRow|number} item */
  constructor(item) {
    this.button.append(this.#avatar.node, this.#name, this.#login, this.#place);
    rowViews.set(this.node, this);
    this.update(item);
  }

  /** @param {PersonRow|number} item */
  update(item) {
    this.item = item;
    const waits = typeof item === 'number';
    const person = waits ? unknown : item;
    setAttribute(this.node, 'data-github-id', waits ? item : person.githubId);
    setAttribute(this.button, 'data-waiting', waits);
    setAttribute(this.button, 'aria-label', waits ? texts.people.loading : null);
    this.#avatar.show(person);
    setText(this.#name, person.name || person.login);
    this.#login.hidden = person.name === '';
    setText(this.#login, person.name === '' ? '' : person.login);
    setAttribute(this.button, 'data-single', person.name === '');
    setAttribute(this.button, 'aria-busy', person.busy ? 'true' : null);
    this.#place.hidden = !person.member && !person.online;
    setText(this.#place, person.online ? texts.person.online : texts.people.member);
    this.#place.classList.toggle('online', Boolean(person.online));
  }

  remove() {
    this.#avatar.release();
  }
}

/** The row in which something happened. @param {Event} event @returns {PersonRowView|null} */
export function rowOf(event) {
  return rowViews.get(event.target instanceof Element ? event.target.closest('li') : null) ?? null;
}
