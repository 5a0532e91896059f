/** The feed: its alert, a card an item, and the way to newer and older ones (N1, N2, N4). */
import { newsTexts } from '../models/texts/news.js';
import { texts } from '../models/texts.js';
import { announce, Scope, element, motionAllowed, setAttribute, setText } from './dom.js';
import { NewsCard } from './github/newsCard.js';
import { drawing, icon } from './icons.js';
import { bindList } from './list.js';
import { PeopleAlert } from './peopleAlert.js';

const refreshLines = ['M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5', 'M20 4v5.5h-5.5'];
/** So near the top, newer cards may come above. */
const NEAR_TOP = 80;
/** So far one pulls down to refresh. */
const PULL = 72;

export class NewsView {
  #viewModel;
  #scope = new Scope();
  #views;
  #observer;
  #top = 0;
  /** What in the feed had the focus last. */
  #last = null;
  #heading = element('h1', { tabindex: '-1' }, texts.sections.news);
  #refresh = element('button', { type: 'button', class: 'icon-button', 'aria-label': newsTexts.refresh, title: newsTexts.refresh },
    drawing(refreshLines));
  #feed = element('p', { class: 'news-feed' });
  #stale = element('p', { class: 'stale', role: 'status' });
  #said = element('p', { class: 'said', role: 'status' });
  #alert;
  #newer = element('button', { type: 'button', class: 'button primary newer', hidden: true });
  #cards = element('div', { class: 'news-cards', role: 'feed', 'aria-label': newsTexts.label });
  #skeleton = element('div', { class: 'news-skeletons', role: 'progressbar', 'aria-label': newsTexts.loading },
    ...Array.from({ length: 6 }, () => element('div', { class: 'card skeleton-card' }, element('i'), element('i'), element('i'))));
  #emptyText = element('p', { class: 'how' });
  #emptyLink = element('a', { class: 'button', href: '/people' }, newsTexts.findPeople);
  #empty = element('div', { class: 'empty', hidden: true }, element('span', { class: 'medal' }, icon('news')),
    element('p', { class: 'what' }, newsTexts.emptyTitle), this.#emptyText, this.#emptyLink);
  #more = element('div', { class: 'more', role: 'progressbar', 'aria-label': newsTexts.loadingMore, hidden: true },
    element('div', { class: 'spinner' }));
  #end = element('p', { class: 'list-end', hidden: true }, newsTexts.end);
  #sentinel = element('div', { class: 'sentinel' });
  bar = element('header', { class: 'page-head' }, this.#heading, element('span', { class: 'gap' }), this.#refresh);
  node;

  /**
   * @param {import('../viewmodels/newsViewModel.js').NewsViewModel} viewModel
   * @param {(row: object) => void} share
   */
  constructor(viewModel, share) {
    this.#viewModel = viewModel;
    this.#alert = new PeopleAlert(() => viewModel.retry());
    this.#alert.node.classList.add('news-alert');
    const about = element('div', { class: 'news-about' }, this.#feed, this.#stale, this.#said);
    const column = element('div', { class: 'column news-column' }, this.bar, about, this.#alert.node, this.#newer,
      this.#skeleton, this.#cards, this.#empty, this.#more, this.#end, this.#sentinel);
    this.node = element('div', { class: 'page scroller news-page' }, column);
    this.#refresh.addEventListener('click', () => viewModel.refresh());
    this.#newer.addEventListener('click', () => this.#showNewer());
    this.node.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#cards.addEventListener('keydown', (event) => this.#walk(event));
    this.#cards.addEventListener('focusin', (event) => {
      this.#last = event.target;
    });
    listenForPull(this.node, () => viewModel.refresh());
    this.#views = bindList({
      array: viewModel.rows,
      container: this.#cards,
      create: (row) => new NewsCard(row, { share, toggle: (key) => viewModel.toggle(key) }),
      around: (apply, changes) => this.#holdPlace(apply, changes),
    }).views;
    this.#observer = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && viewModel.nearEnd(), {
      root: this.node, rootMargin: '0px 0px 1200px',
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
    document.addEventListener('visibilitychange', () => this.#visibility());
  }

  /** Back at the card that one left for what it leads to; else at the heading. */
  focus() {
    (this.#last?.isConnected && this.#top > 0 ? this.#last : this.#heading).focus({ preventScroll: true });
  }

  /** The page is on screen: goes on where it was left. */
  shown() {
    this.node.scrollTop = this.#top;
    this.#isShown = true;
    this.#viewModel.show();
  }

  /** Another page is there now; this one is kept. */
  end() {
    this.#isShown = false;
    this.#viewModel.hide();
  }

  #isShown = false;

  #visibility() {
    if (!this.#isShown) return;
    if (document.visibilityState === 'visible') this.#viewModel.show();
    else this.#viewModel.hide();
  }

  #scrolled() {
    // Taken out of the page it says 0.
    if (!this.node.isConnected) return;
    this.#top = this.node.scrollTop;
    this.#viewModel.scrolled(this.#top < NEAR_TOP);
  }

  /** What is being read stays where it is while cards come or go above it. */
  #holdPlace(apply, changes) {
    const anchor = this.#top < NEAR_TOP || changes.every(({ type }) => type === 'update') ? null : this.#firstVisible();
    const before = anchor?.node.getBoundingClientRect().top ?? 0;
    apply();
    if (!anchor?.node.isConnected) return;
    const by = anchor.node.getBoundingClientRect().top - before;
    if (by !== 0) this.node.scrollTop += by;
  }

  #firstVisible() {
    const top = this.node.getBoundingClientRect().top;
    return this.#views.find((view) => view.node.getBoundingClientRect().bottom > top) ?? null;
  }

  #showNewer() {
    this.#viewModel.showNewer();
    this.node.scrollTo({ top: 0, behavior: motionAllowed() ? 'smooth' : 'instant' });
    this.#views[0]?.node.focus({ preventScroll: true });
  }

  /** The keys that the ARIA pattern of a feed names, and J and K as GitHub has them. */
  #walk(event) {
    const by = { PageDown: 1, PageUp: -1, j: 1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#views.findIndex((view) => view.node.contains(document.activeElement));
    const article = this.#views[at + by]?.node;
    if (!article) return;
    event.preventDefault();
    article.focus({ preventScroll: true });
    article.scrollIntoView({ block: 'nearest' });
  }

  #show(state) {
    const loading = state.loadingFirst;
    this.#skeleton.hidden = !loading;
    this.#cards.hidden = loading || this.#viewModel.rows.length === 0;
    setAttribute(this.#cards, 'aria-busy', String(state.loadingMore || state.refreshing));
    this.#empty.hidden = loading || !state.empty || state.alert !== null;
    const isPublic = state.feed === 'public';
    setText(this.#emptyText, isPublic ? newsTexts.emptyPublic : newsTexts.emptyReceived);
    this.#emptyLink.hidden = isPublic;
    this.#showFeed(state.feed);
    setText(this.#stale, state.stale ?? '');
    this.#stale.hidden = state.stale === null;
    setText(this.#said, state.said);
    this.#said.hidden = state.said === '';
    this.#alert.show(state.alert);
    setAttribute(this.#refresh, 'data-busy', state.refreshing && !loading);
    if (state.newer > 0 && this.#newer.hidden) announce(newsTexts.newerLabel(state.newer));
    this.#newer.hidden = state.newer === 0;
    setText(this.#newer, newsTexts.newer(state.newer));
    setAttribute(this.#newer, 'aria-label', newsTexts.newerLabel(state.newer));
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = loading || !state.end || this.#viewModel.rows.length === 0;
    // Observing anew makes the observer look again after each page: the end may still be near.
    this.#observer.unobserve(this.#sentinel);
    if (!loading && !state.loadingMore && !state.end && !state.alert) this.#observer.observe(this.#sentinel);
  }

  /** Quietly: whose news these are, and what would make them one's own. */
  #showFeed(feed) {
    if (this.#feed.dataset.feed === (feed ?? '')) return;
    this.#feed.dataset.feed = feed ?? '';
    const link = element('a', { class: 'link', href: '/settings' }, newsTexts.personal);
    this.#feed.replaceChildren(...(feed === 'public' ? [`${newsTexts.everybody} `, link, newsTexts.personalRest]
      : feed === 'received' ? [newsTexts.received] : []));
  }
}

/** Pulling down at the top refreshes, as on phones everywhere. */
function listenForPull(node, refresh) {
  let start = null;
  node.addEventListener('touchstart', (event) => {
    start = node.scrollTop <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null;
  }, { passive: true });
  node.addEventListener('touchend', (event) => {
    if (start !== null && node.scrollTop <= 0 && event.changedTouches[0].clientY - start > PULL) refresh();
    start = null;
  }, { passive: true });
}
