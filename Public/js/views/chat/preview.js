/** What will be sent, above the field. It follows the text. */
import { element } from '../dom.js';
import { drawMarkdown } from '../markdown.js';
import { iconButton } from '../parts.js';
import { repositoryOf } from '../../models/markdown/addresses.js';
import { writingTexts as words } from '../../models/texts/writing.js';

export class PreviewView {
  #host;
  #body = element('div', { class: 'body', dir: 'auto' });
  #drawing = 0;
  #drawn = null;
  node = element('section', { class: 'writing-preview', role: 'region', 'aria-label': words.preview });

  /** @param {{text: () => string, mentions: string, repository: () => string|null, close: () => void}} host */
  constructor(host) {
    this.#host = host;
    const title = element('p', { class: 'title' }, words.preview);
    const hint = element('p', { class: 'hint' }, words.previewHint);
    const close = iconButton('close', words.closePreview, host.close, { title: words.closePreview });
    const attributes = { class: 'message own', 'data-first': true, 'data-last': true };
    const message = element('div', attributes, element('div', { class: 'bubble' }, this.#body));
    this.node.append(
      element('header', {}, title, hint, close),
      element('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': words.preview }, message),
    );
    this.#show();
  }

  /** The text has changed: draws it before the next paint, once. */
  draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#show());
  }

  #show() {
    const { mentions, repository } = this.#host;
    const text = this.#host.text();
    if (text === this.#drawn) return;
    this.#drawn = text;
    const { isBlock, nodes, more } = drawMarkdown(text || words.previewEmpty, mentions, {
      repository: repositoryOf(repository()),
    });
    this.#body.replaceChildren(element('div', { class: isBlock ? 'rich' : 'plain' }, ...nodes));
    // Names of emoji and entities load when a text needs them.
    more?.then(() => {
      this.#drawn = null;
      this.draw();
    }).catch(() => {});
  }
}
