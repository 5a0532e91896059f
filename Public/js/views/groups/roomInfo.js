/** The information page of a chat: the group with its members, or the person; the user's own settings; leaving. */
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { listTexts } from '../../models/texts/list.js';
import { Scope, element, set, setText } from '../dom.js';
import { foldingSection, formError, savedNote } from '../formParts.js';
import { button, emptyPlace, icon, mark } from '../parts.js';
import { spinner } from '../listEnd.js';
import { ask } from '../question.js';
import { BansView } from './bans.js';
import { GroupHead } from './groupHead.js';
import { InvitationsView } from './invitations.js';
import { MembersView } from './members.js';
import { MySettings } from './mySettings.js';
import { pageBar } from './pageBar.js';
import { PersonHead } from './personHead.js';
import { RepositoryField } from './repositoryField.js';

const { info: words, rules } = groupTexts;

/**
 * @typedef {object} RoomInfoModels
 * @property {import('../../viewmodels/groups/roomInfoViewModel.js').RoomInfoViewModel} info
 * @property {import('../../viewmodels/groups/membersViewModel.js').MembersViewModel} members
 * @property {import('../../viewmodels/groups/peoplePickerViewModel.js').PeoplePickerViewModel} picker
 * @property {import('../../viewmodels/groups/bansViewModel.js').BansViewModel} bans
 * @property {import('../../viewmodels/groups/invitationsViewModel.js').InvitationsViewModel} invitations
 * @property {import('../../viewmodels/groups/repositoryViewModel.js').RepositoryViewModel} repository
 * @property {import('../../viewmodels/pictureViewModel.js').PictureViewModel} picture
 */

export class RoomInfoView {
  #models;
  #navigate;
  #openCard;
  #scope = new Scope();
  #parts = [];
  #group = null;
  #person = null;
  #mine = null;
  #repository = null;
  #column = element('div', { class: 'column' });
  #busy = spinner(words.loading, false);
  #error = formError();
  #heading;
  #gone = false;
  bar;
  node;

  /**
   * @param {RoomInfoModels} models @param {(address: string, options?: object) => void} navigate
   * @param {(user: {id: string}, place: {anchor: Element}) => void} openCard
   */
  constructor(models, navigate, openCard) {
    this.#models = models;
    this.#openCard = openCard;
    this.#navigate = navigate;
    const { roomId } = models.info;
    const close = element('a',
      { class: 'icon-button close-side', href: `/chats/${roomId}`, 'aria-label': sharedTexts.close }, icon('close'));
    ({ heading: this.#heading, bar: this.bar } = pageBar('', `/chats/${roomId}`, close));
    this.#column.append(this.#busy, this.#error);
    this.node = element('div', { class: 'info form-page' }, this.bar,
      element('div', { class: 'page scroller' }, this.#column));
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      this.#navigate(`/chats/${roomId}`);
    });
    this.#scope.bind(models.info, (state) => this.#show(state));
  }

  focus() {
    (this.#heading.isConnected ? this.#heading : this.node.querySelector('h1'))?.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    for (const part of this.#parts) part.end?.();
    const { info, members, picker, picture } = this.#models;
    for (const model of [info, members, picker, picture]) model.close();
  }

  #show(state) {
    if (this.#gone) return;
    const { room } = state;
    setText(this.#heading, room?.kind === 'direct' ? words.person : words.group);
    this.#busy.hidden = room !== null || !state.loading;
    setText(this.#error, state.error ?? state.actionError ?? '');
    if (state.left) return;
    if (state.removed || state.missing) return this.#showGone(state);
    if (!room) return undefined;
    if (room.kind === 'direct') this.#showPerson(state);
    else this.#showGroup(state);
    return undefined;
  }

  #showPerson(state) {
    if (!this.#person) {
      const { info } = this.#models;
      this.#person = new PersonHead(info);
      this.#mine = new MySettings(info);
      this.#repository = new RepositoryField(this.#models.repository);
      this.#parts.push(this.#person, this.#repository);
      const clear = actionButton('clear', listTexts.questions.clearAction, () => this.#clear());
      const hide = actionButton('delete', listTexts.questions.deleteAction, () => this.#hide());
      this.#note = savedNote();
      this.#column.append(this.#person.node, this.#repository.node, this.#mine.node,
        element('section', { class: 'section danger-zone' }, clear, hide, this.#note));
    }
    this.#person.show(state);
    this.#repository.show(true);
    this.#mine.show(state);
    setText(this.#note, state.note);
  }

  #note = null;

  #showGroup(state) {
    this.#group ??= this.#makeGroup();
    const { head, members, bans, invitations, join, leave, rulesNode, yours } = this.#group;
    const { room } = state;
    const isIn = room.role !== null;
    head.show(state);
    join.hidden = isIn;
    this.#mine.node.hidden = !isIn;
    this.#repository.show(room.governs);
    if (isIn) {
      this.#mine.show(state);
      members.show(room.governs, room.members);
      if (!this.#opened) this.#models.members.open();
      if (!this.#opened && room.governs && room.members === 1) invitations.node.open = true;
      this.#opened = true;
    }
    for (const node of [members.node, leave, rulesNode]) node.hidden = !isIn;
    for (const part of [bans, invitations]) {
      part.node.hidden = !room.governs;
      if (!room.governs) part.node.open = false;
    }
    setText(yours, rules.you[room.role] ?? '');
  }

  #opened = false;

  #makeGroup() {
    const { info, members, picker, picture, bans, invitations } = this.#models;
    const group = {
      head: new GroupHead(info, picture),
      members: new MembersView(members, picker, (address) => this.#navigate(address), this.#openCard),
      bans: new BansView(bans),
      invitations: new InvitationsView(invitations, {
        heading: groupTexts.invitations.heading, hint: groupTexts.invitations.hint,
      }),
      yours: element('p', {}),
    };
    this.#repository = new RepositoryField(this.#models.repository);
    this.#parts.push(group.head, group.members, group.bans, group.invitations, this.#repository);
    this.#mine = new MySettings(info);
    group.join = element('section', { class: 'section join' }, element('p', {}, words.notIn),
      button(groupTexts.rooms.join, () => this.#join(), 'primary'));
    group.leave = element('section', { class: 'section danger-zone' },
      actionButton('removePerson', listTexts.questions.leaveAction, () => this.#leave()));
    group.rulesNode = foldingSection(rules.heading, element('div', { class: 'rules' }, group.yours,
      ...['owner', 'admin', 'member'].map((role) => element('p', {}, rules[role]))));
    this.#column.append(group.head.node, group.join, this.#repository.node, this.#mine.node,
      group.members.node, group.invitations.node,
      group.bans.node, group.rulesNode, group.leave);
    return group;
  }

  async #join() {
    const { info } = this.#models;
    if (await info.join()) this.#navigate(`/chats/${info.roomId}`);
  }

  async #leave() {
    const { info } = this.#models;
    const agreed = await ask(info.question('leave'));
    if (agreed && (await info.leave())) this.#navigate('/chats', { replace: true });
  }

  async #clear() {
    const { info } = this.#models;
    if (await ask(info.question('clear'))) await info.clear();
  }

  async #hide() {
    const { info } = this.#models;
    const agreed = await ask(info.question('delete'));
    if (agreed && (await info.hide())) this.#navigate('/chats', { replace: true });
  }

  /** Shows the reason in place of a chat that can no longer be seen. */
  #showGone({ missing, removedText, room }) {
    this.#gone = true;
    const group = room?.kind === 'group';
    const what = missing ? words.missing : group ? removedText || words.removed : words.gone;
    const hadFocus = this.node.contains(document.activeElement);
    const { node, what: title } = emptyPlace({
      sign: mark(), title: what, hint: group && !missing && !removedText ? words.removedHint : '',
      actions: [element('a', { class: 'button primary', href: '/chats' }, sharedTexts.toChats)],
    });
    set(title, { role: 'alert', tabindex: '-1' });
    this.#column.parentElement.replaceWith(node);
    if (hadFocus) title.focus();
  }
}

const actionButton = (sign, label, act) => button([icon(sign), label], act, 'danger-text');
