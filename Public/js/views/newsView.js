/** The feed: its alert, a card per item, and loading of newer and older ones. */
import { newsTexts } from '../models/texts/news.js';
import { texts } from '../models/texts.js';
import { announce, Scope, element, motionAllowed, set, setAttribute, setText } from './dom.js';
import { NewsCard } from './github/newsCard.js';
import { bindList } from './boundList.js';
import { button, emptyPlace, gap, icon, iconButton, pageHeading } from './parts.js';
import { ListEnd, spinner } from './listEnd.js';
import { PeopleAlert } from './alertView.js';

/** The distance from the top at which newer cards may be inserted, in CSS pixels. */
const NEAR_TOP = 80;
/** The distance of a pull to refresh, in CSS pixels. */
const PULL = 72;

export class NewsView {
  #viewModel;
  #scope = new Scope();
  #views;
  #listEnd;
  #top = 0;
  /** The element of the feed that was focused last. */
  #last = null;
  #heading = pageHeading(texts.sections.news);
  #refresh = iconButton('refresh', newsTexts.refresh, () => this.#viewModel.refresh(), { title: newsTexts.refresh });
  #feed = element('p', { class: 'news-feed' });
  #stale = element('p', { class: 'stale', role: 'status' });
  #said = element('p', { class: 'said', role: 'status' });
  #alert;
  #newer = button('', () => this.#showNewer(), 'primary newer', { hidden: true });
  #cards = element('div', { class: 'news-cards', role: 'feed', 'aria-label': newsTexts.label });
  #skeleton = element('div', { class: 'news-skeletons', role: 'progressbar', 'aria-label': newsTexts.loading },
    ...Array.from({ length: 6 }, () =>
      element('div', { class: 'news-card skeleton-card' }, element('i'), element('i'), element('i'))));
  #emptyLink = element('a', { class: 'button', href: '/people' }, newsTexts.findPeople);
  #empty = emptyPlace({
    sign: element('span', { class: 'medal' }, icon('news')), title: newsTexts.emptyTitle, actions: [this.#emptyLink],
  });
  #more = spinner(newsTexts.loadingMore);
  #end = element('p', { class: 'list-end', hidden: true }, newsTexts.end);
  bar = element('header', { class: 'page-head' }, this.#heading, gap(), this.#refresh);
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
      this.#skeleton, this.#cards, this.#empty.node, this.#more, this.#end);
    this.node = element('div', { class: 'page scroller news-page' }, column);
    this.#listEnd = new ListEnd(() => viewModel.nearEnd(), 1200, this.node);
    column.append(this.#listEnd.node);
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
    this.#scope.bind(viewModel, (state) => this.#show(state));
    document.addEventListener('visibilitychange', () => this.#visibility());
  }

  /** Focuses the card that was left last, else the heading. */
  focus() {
    (this.#last?.isConnected && this.#top > 0 ? this.#last : this.#heading).focus({ preventScroll: true });
  }

  /** The page is on screen: restores the scroll position. */
  shown() {
    this.node.scrollTop = this.#top;
    this.#isShown = true;
    this.#viewModel.show();
  }

  /** Another page shows; this one is kept. */
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
    // It is 0 while the element is not in the page.
    if (!this.node.isConnected) return;
    this.#top = this.node.scrollTop;
    this.#viewModel.scrolled(this.#top < NEAR_TOP);
  }

  /** Keeps the scroll position while cards are inserted or removed above. */
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
    this.node.scrollTo({ top: 0, behavior: motionAllowed() ? 'smooth' : 'auto' });
    this.#views[0]?.node.focus({ preventScroll: true });
  }

  /** The keys of the ARIA feed pattern, and J and K as on GitHub. */
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
    this.#empty.node.hidden = loading || !state.empty || state.alert !== null;
    const isPublic = state.feed === 'public';
    setText(this.#empty.how, isPublic ? newsTexts.emptyPublic : newsTexts.emptyReceived);
    this.#emptyLink.hidden = isPublic;
    this.#showFeed(state.feed);
    set(this.#stale, { text: state.stale ?? '', hidden: state.stale === null });
    set(this.#said, { text: state.said, hidden: state.said === '' });
    this.#alert.show(state.alert);
    setAttribute(this.#refresh, 'data-busy', state.refreshing && !loading);
    if (state.newer > 0 && this.#newer.hidden) announce(newsTexts.newerLabel(state.newer));
    set(this.#newer, {
      text: newsTexts.newer(state.newer), 'aria-label': newsTexts.newerLabel(state.newer), hidden: state.newer === 0,
    });
    this.#more.hidden = !state.loadingMore;
    this.#end.hidden = loading || !state.end || this.#viewModel.rows.length === 0;
    this.#listEnd.watch(!loading && !state.loadingMore && !state.end && !state.alert);
  }

  /** A note on whose news these are, and how to see one's own. */
  #showFeed(feed) {
    if (this.#feed.dataset.feed === (feed ?? '')) return;
    this.#feed.dataset.feed = feed ?? '';
    const link = element('a', { class: 'link', href: '/settings/account' }, newsTexts.personal);
    this.#feed.replaceChildren(...(feed === 'public' ? [`${newsTexts.everybody} `, link, newsTexts.personalRest]
      : feed === 'received' ? [newsTexts.received] : []));
  }
}

/** Pull to refresh. */
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
