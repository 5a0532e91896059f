/** The card of a person, beside what was pressed; on a narrow screen a sheet: who they are, and the ways to them. */
import { personCardTexts as words } from '../models/texts/personCard.js';
import { Scope, element, isTouch, set, setAttribute, setText } from './dom.js';
import { openDialog } from './chat/dialog.js';
import { Avatar, button, icon } from './parts.js';

const narrow = matchMedia('(width < 600px)');
/** How close to the window's edge it may come, and to what it belongs to. */
const margin = 8;

/**
 * @param {import('../viewmodels/personCardViewModel.js').PersonCardViewModel} model
 * @param {object} options
 * @param {Element|null} options.anchor what it stands beside; null: the middle
 * @param {((handle: string) => void)|undefined} options.mention where they can be mentioned
 * @param {(roomId: string) => void} options.go
 */
export function openPersonCard(model, { anchor, mention, go }) {
  const scope = new Scope();
  const face = new Avatar(96);
  const login = element('p', { class: 'card-login code' });
  const seen = element('p', { class: 'card-seen' });
  const bio = element('p', { class: 'card-bio', dir: 'auto' });
  const location = element('span', { dir: 'auto' });
  const place = element('p', { class: 'card-place' }, icon('globe'), location);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const { me } = model.state;
  const write = button([icon('compose'), words.write], async () => {
    const room = await model.write();
    if (!room) return;
    dialog.close();
    go(room);
  }, 'primary');
  const named = button([element('span', { class: 'sign', 'aria-hidden': 'true' }, '@'), words.mention], () => {
    dialog.close();
    mention(model.state.handle);
  });
  const gitHub = element('a', { class: 'button', target: '_blank', rel: 'noreferrer' }, icon('github'), words.gitHub);
  const own = element('a', { class: 'button', href: '/settings', onclick: () => dialog.close() }, words.yours);
  const ways = element('div', { class: 'card-ways' }, ...(me ? [own] : [write, mention && named]), gitHub);
  const dialog = openDialog({
    title: model.state.face.name, content: [bio, place, problem, ways], name: 'person-card',
    closed() {
      scope.end();
      face.release();
      model.close();
    },
  });
  const heading = /** @type {HTMLElement} */ (dialog.querySelector('h2'));
  const who = element('div', { class: 'card-who' });
  heading.before(face.node, who);
  who.append(heading, login, seen);
  const fit = () => anchor && !narrow.matches && standBeside(dialog, anchor);
  scope.bind(model, (state) => {
    face.show(state.face);
    setText(heading, state.face.name);
    set(login, { text: state.login, hidden: state.login === '' });
    set(seen, { text: state.seen, hidden: state.seen === '', 'data-online': state.face.online });
    set(bio, { text: state.bio, hidden: state.bio === '' });
    setText(location, state.location);
    place.hidden = state.location === '';
    setText(problem, state.problem);
    named.hidden = state.handle === '';
    set(gitHub, { href: `https://github.com/${encodeURIComponent(state.login)}`, hidden: state.login === '' });
    ways.hidden = ![...ways.children].some((node) => !(/** @type {HTMLElement} */ (node).hidden));
    setAttribute(write, 'aria-busy', state.busy ? 'true' : null);
    fit();
  });
  scope.listen(window, 'resize', () => dialog.close());
  scope.listen(window, 'popstate', () => dialog.close());
  // With fingers, the first button would look pressed.
  if (isTouch()) {
    setAttribute(heading, 'tabindex', '-1');
    heading.focus({ preventScroll: true });
  } else (me ? own : write).focus({ preventScroll: true });
}

/** Below, or above where there is more room: then what arrives late makes it grow upwards. */
function standBeside(dialog, anchor) {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = dialog;
  const rtl = getComputedStyle(dialog).direction === 'rtl';
  const start = rtl ? box.right - width : box.left;
  const isBelow = box.bottom + margin + height <= innerHeight - margin || box.top < innerHeight / 2;
  Object.assign(dialog.style, {
    margin: '0',
    left: `${Math.max(margin, Math.min(start, innerWidth - width - margin))}px`,
    right: 'auto',
    top: isBelow ? `${Math.max(margin, Math.min(box.bottom + margin, innerHeight - height - margin))}px` : 'auto',
    bottom: isBelow ? 'auto' : `${Math.min(innerHeight - box.top + margin, innerHeight - height - margin)}px`,
  });
}
