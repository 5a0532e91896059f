/** The card of a person, beside what was pressed; on a narrow screen a sheet: who they are, and the ways to them. */
import { personCardTexts as words } from '../models/texts/personCard.js';
import { isNarrow, standBeside } from './beside.js';
import { openDialog } from './chat/dialog.js';
import { Scope, element, isTouch, set, setAttribute, setText } from './dom.js';
import { Avatar, button, icon } from './parts.js';

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
  const { me, canWrite } = model.state;
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
  const ways = element('div', { class: 'card-ways' }, ...(me ? [own] : [canWrite && write, mention && named]), gitHub);
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
  const fit = () => anchor && !isNarrow() && standBeside(dialog, anchor);
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
  } else (me ? own : canWrite ? write : gitHub).focus({ preventScroll: true });
}
