/** The page that creates a group. */
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, element, set, setAttribute } from '../dom.js';
import { FieldView } from '../fieldView.js';
import { actions, formError, hint, submitButton } from '../formParts.js';
import { button, icon } from '../parts.js';
import { PictureField } from '../pictureField.js';
import { colourOf, initialsOf } from '../../models/format.js';
import { sendsByReturn } from './oneLine.js';
import { pageBar } from './pageBar.js';
import { PeoplePicker } from './peoplePicker.js';

const words = groupTexts.create;

export class CreateGroupView {
  #viewModel;
  #navigate;
  #scope = new Scope();
  #picture;
  #picker;
  #name = new FieldView({
    name: 'name', label: words.name, hint: words.nameHint,
    attributes: { required: true, autocomplete: 'off', dir: 'auto' },
  });
  #topic = new FieldView({
    name: 'topic', label: words.topic, hint: words.topicHint, tag: 'textarea', attributes: { rows: '3', dir: 'auto' },
  });
  #access = new Map();
  #membersError = element('p', { class: 'field-error', hidden: true });
  #formError = formError();
  #create = submitButton();
  #goOn = button(words.goOn, () => this.#open(this.#viewModel.state.roomId), '', { hidden: true });
  #heading;
  bar;
  node;

  /**
   * @param {import('../../viewmodels/groups/createGroupViewModel.js').CreateGroupViewModel} viewModel
   * @param {import('../../viewmodels/groups/peoplePickerViewModel.js').PeoplePickerViewModel} picker
   * @param {import('../../viewmodels/pictureViewModel.js').PictureViewModel} picture
   * @param {(address: string, options?: object) => void} navigate
   */
  constructor(viewModel, picker, picture, navigate) {
    this.#viewModel = viewModel;
    this.#navigate = navigate;
    ({ heading: this.#heading, bar: this.bar } = pageBar(words.title, '/chats'));
    this.#picture = new PictureField(picture);
    this.#picker = new PeoplePicker(picker, { label: texts.sections.people });
    const form = element(
      'form',
      { class: 'column form', novalidate: true },
      element('section', { class: 'section' }, this.#picture.node, this.#name.node, this.#topic.node),
      this.#accessChoice(),
      element('section', { class: 'section' }, this.#picker.node,
        hint(words.peopleHint), this.#membersError),
      this.#formError,
      actions(this.#create, this.#goOn,
        element('a', { class: 'button', href: '/chats', 'data-back': true }, sharedTexts.cancel)),
    );
    form.addEventListener('submit', (event) => this.#send(event, form));
    for (const { input } of [this.#name, this.#topic]) {
      input.addEventListener('input', () => viewModel.set(input.name, input.value));
    }
    sendsByReturn(this.#topic.input, form);
    this.node = element('div', { class: 'form-page' }, this.bar, element('div', { class: 'page scroller' }, form));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  get title() {
    return words.title;
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    this.#picture.end();
    this.#picker.end();
    this.#viewModel.close();
  }

  #accessChoice() {
    const fieldset = element('fieldset', { class: 'section access' }, element('legend', {}, words.access));
    for (const [name, sign] of [['private', 'lock'], ['public', 'globe']]) {
      const id = `access-${name}`;
      const input = /** @type {HTMLInputElement} */ (
        element('input', { type: 'radio', name: 'access', id, 'aria-describedby': `${id}-hint` })
      );
      input.addEventListener('change', () => this.#viewModel.setPublic(name === 'public'));
      this.#access.set(name, input);
      fieldset.append(element(
        'div',
        { class: 'option' },
        input,
        icon(sign),
        element('label', { for: id }, words[name]),
        hint(words[`${name}Hint`], { id: `${id}-hint` }),
      ));
    }
    return fieldset;
  }

  async #send(event, form) {
    event.preventDefault();
    const roomId = await this.#viewModel.submit();
    if (roomId) this.#open(roomId);
    else queueMicrotask(() => form.querySelector('[aria-invalid="true"]')?.focus());
  }

  #open(roomId) {
    this.#navigate(`/chats/${roomId}`, { replace: true });
  }

  #show(state) {
    const { values, fieldErrors, busy, roomId } = state;
    const made = roomId !== null;
    this.#name.show(values.name, fieldErrors.name);
    this.#topic.show(values.topic, fieldErrors.topic);
    this.#access.get('public').checked = state.public;
    this.#access.get('private').checked = !state.public;
    set(this.#membersError, { text: fieldErrors.member_ids ?? '', hidden: !fieldErrors.member_ids });
    set(this.#formError, { text: state.formError ?? '', hidden: state.formError === null });
    const label = busy ? words.creating : made ? words.tryAgain : words.create;
    set(this.#create, { text: label, 'aria-disabled': busy ? 'true' : null });
    this.#goOn.hidden = !made;
    for (const { input } of [this.#name, this.#topic]) setAttribute(input, 'readonly', made);
    const name = values.name.trim();
    this.#picture.show({ initials: name ? initialsOf(name) : '', colour: colourOf(name), avatarUrl: null });
  }
}
