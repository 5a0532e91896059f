/** Composes the rest of an open chat after its first paint: reactions, pins, and actions on messages. */
import { newId } from '../models/format.js';
import { namesOf } from '../models/mentions.js';
import { MessageApi } from '../services/messageApi.js';
import { MessageExtras } from '../viewmodels/messageExtras.js';
import { loadStyles } from '../views/laterStyles.js';
import { LogTools } from '../views/logTools.js';

/** Seconds that a link to a group counts, if its maker says nothing else: a week. */
const LINK_LASTS = 604_800;

/**
 * Completes an open chat.
 * @param {object} chat `services`, `roomId`, `model`, `view`
 * @returns {object} factories of view models that are fetched at first use
 */
export function complete({ services: basic, roomId, model, view }) {
  const messageApi = new MessageApi(basic.api);
  const makeId = () => newId((bytes) => crypto.getRandomValues(bytes));
  const services = { ...basic, messageApi, origin: location.origin, newId: makeId };
  model.extend((window, onChange) => new MessageExtras(roomId, services, window, onChange));
  model.extras.pins.load();
  const repository = () => services.store.room(roomId)?.repository ?? null;
  let actions = null;
  const tools = {
    actions: () => (actions ??= import('../viewmodels/messageActions.js')
      .then(({ MessageActions }) => new MessageActions(roomId, services, model))
      .catch((error) => {
        actions = null;
        throw error;
      })),
    async openCard(user, place) {
      const { makeCards } = await import('./personCards.js');
      return makeCards(services, basic.navigate)(user, { roomId, ...place });
    },
    /** The cards of references in a log. */
    async references(host) {
      const { makeReferenceCards } = await import('./referenceCards.js');
      return makeReferenceCards(host, services, tools.openCard);
    },
    async whoIsNamed(word, { seq }) {
      const { whoIsNamed } = await import('../viewmodels/personCardViewModel.js');
      const message = model.message(seq);
      return message && whoIsNamed(word, message, services.store);
    },
    async pickEmoji(choose) {
      const [actions, { openEmojiPicker }] = await Promise.all([
        tools.actions(), import('../views/chat/emojiPicker.js'), loadStyles('messageTools', 'messageLists'),
      ]);
      openEmojiPicker(actions.frequentEmoji(16), choose);
    },
    async forward(seqs) {
      const { ForwardViewModel } = await import('../viewmodels/forwardViewModel.js');
      return new ForwardViewModel(roomId, services, seqs);
    },
    /** Shows what changed in a group between its messages. */
    async changes() {
      if (services.store.room(roomId)?.kind !== 'group') return;
      const [{ ChangeLines }, { ChangeView }] = await Promise.all([
        import('../viewmodels/changeLines.js'), import('../views/chat/changeView.js'),
      ]);
      view.showChanges(ChangeView);
      const lines = model.extras.showChanges((window, onChange) => new ChangeLines(roomId, services, window, onChange));
      model.onClose(() => lines.close());
      if (model.isClosed) lines.close();
      else await lines.open();
    },
    async invite() {
      const [{ Groups }, { inviteLink }] = await Promise.all([
        import('../services/groupApi.js'), import('../viewmodels/groups/inviteLink.js'),
      ]);
      return inviteLink(new Groups(services.api, null), services.origin);
    },
    async groupLink() {
      const { Groups } = await import('../services/groupApi.js');
      const { body } = await new Groups(services.api, null).invite(roomId, { expires_in: LINK_LASTS });
      return new URL(body.url, services.origin).href;
    },
    /** The tools for writing. @param {object} composer the parts of its view */
    async writing(composer) {
      const [{ WritingTools }, { WritingViewModel }] = await Promise.all([
        import('../views/chat/writingTools.js'), import('../viewmodels/writingViewModel.js'), loadStyles('writing'),
      ]);
      const mentions = async () => namesOf(await (await tools.actions()).members().catch(() => []), services.store);
      return new WritingTools(new WritingViewModel(), {
        ...composer, completion: tools.completion, mentions, repository,
      });
    },
    async completion() {
      const { CompletionViewModel } = await import('../viewmodels/completionViewModel.js');
      const members = async () => (await tools.actions()).members();
      const emoji = async () => {
        const { searchShortcodes, shortcode } = await import('../models/emojiNames.js');
        return { searchShortcodes, shortcode };
      };
      const issues = async () => {
        const { IssueFinder } = await import('../viewmodels/issueFinder.js');
        const isOffline = () => services.sync.state.connection === 'offline';
        return new IssueFinder({ api: services.api, repository, isOffline, now: () => services.clock.now() });
      };
      return new CompletionViewModel({ members, emoji, issues, repository, store: services.store });
    },
    async edit(seq, text) {
      const { body } = await messageApi.edit(roomId, seq, text);
      model.take(body);
    },
  };
  view.extend((host) => new LogTools(host, tools));
  return tools;
}
