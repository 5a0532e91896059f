/** A group's picture, name, topic and visibility, and their form for admins. */
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { element, set, setAttribute, setText } from '../dom.js';
import { FieldView } from '../fieldView.js';
import { actions, formError, savedNote, submitButton } from '../formParts.js';
import { button, icon } from '../parts.js';
import { PictureField } from '../pictureField.js';
import { sendsByReturn } from './oneLine.js';

const words = groupTexts.info;

export class GroupHead {
  #viewModel;
  #picture;
  #name = element('p', { class: 'name', dir: 'auto' });
  #kind = element('p', { class: 'kind' });
  #topic = element('p', { class: 'topic', dir: 'auto' });
  #edit = button([icon('edit'), words.edit], () => this.#begin(), 'small');
  #about;
  #form;
  #nameField = new FieldView({
    name: 'name', label: groupTexts.create.name, attributes: { required: true, autocomplete: 'off', dir: 'auto' },
  });
  #topicField = new FieldView({
    name: 'topic', label: groupTexts.create.topic, tag: 'textarea', attributes: { rows: '3', dir: 'auto' },
  });
  #formError = formError();
  #save = submitButton(sharedTexts.save);
  #note = savedNote();
  #publicShown = null;
  node;

  /**
   * @param {import('../../viewmodels/groups/roomInfoViewModel.js').RoomInfoViewModel} viewModel
   * @param {import('../../viewmodels/pictureViewModel.js').PictureViewModel} picture
   */
  constructor(viewModel, picture) {
    this.#viewModel = viewModel;
    this.#picture = new PictureField(picture);
    this.#about = element('div', { class: 'about' }, this.#name, this.#kind, this.#topic, this.#edit, this.#note);
    this.#form = element('form', { class: 'form', novalidate: true, hidden: true }, this.#nameField.node,
      this.#topicField.node, this.#formError, actions(this.#save, button(sharedTexts.cancel, () => this.#stop())));
    this.node = element('section', { class: 'section group-head' }, this.#picture.node, this.#about, this.#form);
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.#stop();
    });
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const saved = await viewModel.save();
      queueMicrotask(() => (saved ? this.#edit : this.#form.querySelector('[aria-invalid="true"]'))?.focus());
    });
    for (const { input } of [this.#nameField, this.#topicField]) {
      input.addEventListener('input', () => viewModel.set(input.name, input.value));
    }
    sendsByReturn(this.#topicField.input, this.#form);
  }

  #begin() {
    this.#viewModel.edit();
    queueMicrotask(() => this.#nameField.input.focus());
  }

  #stop() {
    this.#viewModel.stopEditing();
    queueMicrotask(() => this.#edit.focus());
  }

  end() {
    this.#picture.end();
  }

  show(state) {
    const { room, editing, values, fieldErrors } = state;
    this.#picture.show(room);
    this.#picture.readOnly = !room.governs;
    setText(this.#name, room.name);
    if (this.#publicShown !== room.public) {
      this.#publicShown = room.public;
      this.#kind.replaceChildren(icon(room.public ? 'globe' : 'lock'), element('span'));
    }
    const access = room.public ? words.publicGroup : words.privateGroup;
    setText(this.#kind.lastElementChild, `${access} · ${sharedTexts.members(room.members)}`);
    const none = room.topic === '';
    set(this.#topic, { text: room.topic || words.noTopic, 'data-none': none, hidden: none && !room.governs });
    this.#edit.hidden = !room.governs;
    this.#about.hidden = editing;
    this.#form.hidden = !editing;
    this.#nameField.show(values.name, fieldErrors.name);
    this.#topicField.show(values.topic, fieldErrors.topic);
    setText(this.#formError, state.formError ?? '');
    setAttribute(this.#save, 'aria-disabled', state.busy ? 'true' : null);
    setText(this.#note, state.note);
  }
}
