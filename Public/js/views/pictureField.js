/** A picture that can be changed by a button, by drag and drop, or by pasting. */
import { sharedTexts } from '../models/texts/shared.js';
import { pictureTexts as words } from '../models/texts/pictures.js';
import { Scope, announce, element, setAttribute, setText } from './dom.js';
import { formError, hint } from './formParts.js';
import { Avatar, button, icon } from './parts.js';

/** @param {DataTransfer|null} data @returns {File|null} the first file that says it is a picture, else the first */
function fileOf(data) {
  const files = [...(data?.files ?? [])];
  return files.find(({ type }) => type.startsWith('image/')) ?? files[0] ?? null;
}

export class PictureField {
  #viewModel;
  #scope = new Scope();
  #avatar = new Avatar(96);
  #preview = /** @type {HTMLImageElement} */ (element('img', { class: 'preview', alt: words.preview, hidden: true }));
  #blob = null;
  #input = /** @type {HTMLInputElement} */ (
    element('input', {
      type: 'file', accept: 'image/*', class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true',
    })
  );
  #chooseText = element('span');
  #choose = button([icon('camera'), this.#chooseText], () => this.#input.click(), 'small');
  #use = this.#finishing(words.use, 'use', 'small primary');
  #cancel = this.#finishing(sharedTexts.cancel, 'cancel');
  #remove = this.#finishing(words.remove, 'remove');
  #bar = element('progress', { max: '1', value: '0', 'aria-label': words.progress, hidden: true });
  #note = element('p', { class: 'picture-note', role: 'status' });
  #error = formError();
  #hint = hint(words.hint);
  #hasPicture = false;
  #face = element('div', { class: 'face' });
  node;

  /**
   * @param {import('../viewmodels/pictureViewModel.js').PictureViewModel} viewModel
   * @param {...Node} about shown beside the face, above the buttons
   */
  constructor(viewModel, ...about) {
    this.#viewModel = viewModel;
    this.#face.append(this.#avatar.node, icon('camera'), this.#preview);
    const buttons = element('div', { class: 'buttons' }, this.#choose, this.#use, this.#cancel, this.#remove);
    const beside = element('div', { class: 'beside' }, ...about, buttons, this.#hint, this.#bar, this.#note,
      this.#error);
    this.node = element('div', { class: 'picture-field', 'data-drop': words.drop }, this.#face, beside, this.#input);
    this.#input.addEventListener('change', () => {
      const [file] = this.#input.files;
      this.#input.value = '';
      if (file) viewModel.choose(file);
    });
    this.#takeDrops();
    this.#scope.listen(document, 'paste', (event) => this.#pasted(event));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  /** A button for a command of the view model; if that ends the choice, the focus goes back to the choose button. */
  #finishing(label, name, look = 'small') {
    return button(label, async () => {
      if ((await this.#viewModel[name]()) !== false) this.#choose.focus();
    }, look);
  }

  /** @param {import('./parts.js').Face} face shown while no new picture is chosen */
  show(face) {
    this.#avatar.show({ ...face, online: false });
    this.#hasPicture = face.avatarUrl !== null;
    setAttribute(this.#face, 'data-empty', face.initials === '' && !this.#hasPicture);
    this.#show(this.#viewModel.state);
  }

  /** Whether only the face shows, for people who may not change it. */
  set readOnly(readOnly) {
    setAttribute(this.node, 'data-read-only', readOnly);
  }

  end() {
    this.#scope.end();
    this.#avatar.release();
    this.#drop();
  }

  get #locked() {
    return this.node.hasAttribute('data-read-only') || this.#viewModel.state.stage === 'storing';
  }

  #takeDrops() {
    const { node } = this;
    const over = (event) => {
      if (this.#locked || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setAttribute(node, 'data-over', true);
    };
    node.addEventListener('dragenter', over);
    node.addEventListener('dragover', over);
    node.addEventListener('dragleave', (event) => {
      if (!node.contains(/** @type {Node|null} */ (event.relatedTarget))) setAttribute(node, 'data-over', false);
    });
    node.addEventListener('drop', (event) => {
      setAttribute(node, 'data-over', false);
      if (this.#locked) return;
      const file = fileOf(event.dataTransfer);
      if (!file) return;
      event.preventDefault();
      this.#viewModel.choose(file);
    });
  }

  /** Handles paste anywhere on the page except in text fields. */
  #pasted(event) {
    if (this.#locked || event.defaultPrevented || !this.node.isConnected) return;
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    // A conversation beside it handles paste in its composer.
    const elsewhere = event.target instanceof Element && event.target.closest('.conversation');
    if (!file || elsewhere) return;
    event.preventDefault();
    this.#viewModel.choose(file);
  }

  #show({ stage, blob, progress, error, note }) {
    this.#showPreview(blob);
    const chosen = stage === 'chosen';
    const storing = stage === 'storing';
    const stores = this.#viewModel.canStore;
    setText(this.#chooseText, this.#hasPicture || blob ? words.change : words.choose);
    this.#choose.hidden = storing || (chosen && stores);
    this.#use.hidden = !chosen || !stores;
    this.#cancel.hidden = !(chosen || (storing && blob));
    setText(this.#cancel, chosen && !stores ? words.remove : sharedTexts.cancel);
    this.#remove.hidden = !stores || stage !== 'idle' || !this.#hasPicture;
    this.#hint.hidden = storing || chosen;
    this.#bar.hidden = !(storing && blob);
    this.#bar.value = progress;
    const doing = stage === 'reading' ? words.reading : storing && blob ? words.uploading : '';
    setText(this.#note, doing || note);
    setText(this.#error, error ?? '');
    setAttribute(this.node, 'aria-busy', stage === 'reading' || storing ? 'true' : null);
    if (chosen && !this.#announced) announce(words.preview);
    this.#announced = chosen;
  }

  #announced = false;

  #showPreview(blob) {
    if (blob === this.#blob) return;
    this.#drop();
    this.#blob = blob;
    this.#preview.hidden = !blob;
    if (blob) this.#preview.src = URL.createObjectURL(blob);
  }

  #drop() {
    if (this.#preview.src) URL.revokeObjectURL(this.#preview.src);
    this.#preview.removeAttribute('src');
  }
}
