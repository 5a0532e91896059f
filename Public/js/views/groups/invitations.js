/** The invitation links of a group or the instance: creates one, whose address shows once, and revokes open ones. */
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, announce, element, fill, setAttribute, setText } from '../dom.js';
import { copyText } from '../clipboard.js';
import { actions, foldingSection, formError, hint as hintLine, savedNote } from '../formParts.js';
import { bindList } from '../boundList.js';
import { RowView, button, icon } from '../parts.js';

const words = groupTexts.invitations;
let views = 0;

class OpenLinkRow extends RowView {
  #end;

  constructor(item, end) {
    super('open-link');
    this.#end = button(words.end, () => end(this.item.id), 'small');
    this.node.append(this.#end);
    this.update(item);
  }

  update(item) {
    this.item = item;
    fill({ ...this.parts, end: this.#end }, {
      node: { 'aria-busy': item.busy ? 'true' : null },
      by: item.by,
      limits: item.limits,
      end: { 'aria-label': words.endLabel(item.by) },
    });
  }
}

export class InvitationsView {
  #scope = new Scope();
  #viewModel;
  #id = `invitations-${(views += 1)}`;
  #create = button([icon('link'), words.create], () => this.#make(), 'primary');
  #link = /** @type {HTMLInputElement} */ (
    element('input', { class: 'input code', readonly: true, id: `${this.#id}-link`, dir: 'ltr' })
  );
  #copy = button(sharedTexts.copy, () => this.#copyLink());
  #told = hintLine('', { role: 'status' });
  #linkBox;
  #error = formError();
  #note = savedNote();
  #empty = hintLine(words.none, { hidden: true });
  #list = element('ul', { class: 'open-links', role: 'list', 'aria-label': words.list, hidden: true });
  node;

  /**
   * @param {import('../../viewmodels/groups/invitationsViewModel.js').InvitationsViewModel} viewModel
   * @param {{heading: string, hint: string}} says
   */
  constructor(viewModel, { heading, hint }) {
    this.#viewModel = viewModel;
    this.#linkBox = element('div', { class: 'field new-link', hidden: true },
      element('label', { for: this.#link.id }, words.link), element('div', { class: 'line' }, this.#link, this.#copy),
      this.#told);
    this.node = foldingSection(heading, element('div', {}, hintLine(hint),
      element('div', { class: 'pair' },
        this.#choice('lasting', words.expires, words.lasting), this.#choice('times', words.uses, words.times)),
      actions(this.#create), this.#error, this.#linkBox, this.#note, this.#empty, this.#list));
    this.node.addEventListener('toggle', () => this.node.open && viewModel.open());
    this.#link.addEventListener('focus', () => this.#link.select());
    const end = async (id) => {
      if (await viewModel.end(id)) this.#create.focus();
    };
    const create = (item) => new OpenLinkRow(item, end);
    this.#scope.keep(bindList({ array: viewModel.rows, container: this.#list, create }));
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #choice(name, label, texts) {
    const id = `${this.#id}-${name}`;
    const select = /** @type {HTMLSelectElement} */ (element('select', { class: 'input', id },
      ...Object.entries(texts).map(([value, text]) => element('option', { value }, text))));
    select.value = this.#viewModel.state[name];
    select.addEventListener('change', () => this.#viewModel.choose(name, select.value));
    return element('div', { class: 'field' }, element('label', { for: id }, label), select);
  }

  async #make() {
    if (!(await this.#viewModel.create())) return;
    await Promise.resolve();
    await this.#copyLink();
  }

  async #copyLink() {
    const copied = await copyText(this.#viewModel.state.url);
    setText(this.#told, copied ? words.copied : words.notCopied);
    setText(this.#copy, copied ? sharedTexts.copied : sharedTexts.copy);
    if (!copied) this.#link.focus();
    announce(this.#told.textContent);
  }

  #show(state) {
    setAttribute(this.#create, 'aria-disabled', state.creating ? 'true' : null);
    this.#linkBox.hidden = state.url === null;
    if (this.#link.value !== (state.url ?? '')) {
      this.#link.value = state.url ?? '';
      setText(this.#copy, sharedTexts.copy);
      setText(this.#told, '');
    }
    setText(this.#error, state.error ?? '');
    setText(this.#note, state.note);
    this.#empty.hidden = !state.empty;
    this.#list.hidden = this.#viewModel.rows.length === 0;
  }
}
