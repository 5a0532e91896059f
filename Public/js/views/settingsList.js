/**
 * The sections of the settings: a list at the side, where there is room, else a line above them. Each has an address;
 * the list shows which one is being read.
 */
import { settingsTexts } from '../models/texts/settings.js';
import { element, motionAllowed, setAttribute } from './dom.js';
import { icon } from './parts.js';

/** A section is the current one once its beginning is nearer to the top than this, in CSS pixels. */
const reached = 140;
const words = settingsTexts.list;
/** The section that the page's address names. @returns {string|undefined} */
const wantedSection = () => location.pathname.split('/')[2];

export class SettingsList {
  #scroller;
  #sections;
  #links = new Map();
  node = element('nav', { class: 'settings-list', 'aria-label': words.label });

  /**
   * @param {HTMLElement} scroller
   * @param {[name: string, sign: string, node: HTMLElement][]} sections
   */
  constructor(scroller, sections) {
    this.#scroller = scroller;
    this.#sections = sections;
    const list = element('ul', { role: 'list' });
    for (const [name, sign] of sections) {
      const link = element('a', { href: `/settings/${name}` }, icon(sign), element('span', {}, words.names[name]));
      this.#links.set(name, link);
      list.append(element('li', {}, link));
    }
    this.node.append(list);
    scroller.addEventListener('scroll', () => this.#show(), { passive: true });
    // What an address names is gone to once the page stands, and again while it fills, until the reader does something.
    const filling = new ResizeObserver(() => {
      if (scroller.clientHeight > 0) this.go({ first: true });
    });
    for (const [, , node] of sections) filling.observe(node);
    for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
      scroller.addEventListener(type, () => filling.disconnect(), { passive: true, once: true });
    }
  }

  /** The name of the section that the address names. @returns {string|undefined} */
  get title() {
    return words.names[wantedSection() ?? ''];
  }

  /**
   * Goes to the section of the page's address. @param {{first?: boolean}} [how] `first`: the focus stays where it is
   * @returns {boolean} false where it names none
   */
  go({ first = false } = {}) {
    const wanted = wantedSection();
    const section = this.#sections.find(([name]) => name === wanted);
    if (section) {
      const [, , node] = section;
      node.scrollIntoView({ block: 'start', behavior: !first && motionAllowed() ? 'smooth' : 'auto' });
      // What is not offered here, such as GitHub, is hidden.
      const heading = [...node.querySelectorAll('h2')].find((one) => one.checkVisibility());
      if (heading) setAttribute(heading, 'tabindex', '-1');
      if (!first) heading?.focus({ preventScroll: true });
    } else if (!first) this.#scroller.scrollTo({ top: 0 });
    this.#show(wanted);
    return section !== undefined;
  }

  /** At its end, a page cannot bring its last sections to the top: then the wanted one counts. */
  #show(wanted = wantedSection()) {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const top = this.#scroller.getBoundingClientRect().top + reached;
    const isPassed = ([, , node]) => node.getBoundingClientRect().top <= top;
    const atEnd = scrollHeight - clientHeight - scrollTop < 2;
    const past = this.#sections.findLast(isPassed) ?? this.#sections[0];
    const isAfter = this.#sections.findIndex(([name]) => name === wanted) > this.#sections.indexOf(past);
    const current = atEnd && isAfter ? wanted : past[0];
    for (const [name, link] of this.#links) {
      const isCurrent = name === current;
      if (isCurrent && !link.hasAttribute('aria-current')) {
        // In the line, the current one comes into view.
        const list = this.node;
        const middle = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
        if (list.scrollWidth > list.clientWidth) list.scrollTo({ left: middle });
      }
      setAttribute(link, 'aria-current', isCurrent ? 'location' : null);
    }
  }
}
