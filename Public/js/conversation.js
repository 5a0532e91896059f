/**
 * Composition of an open chat: the only place that knows its services, view models and views. Fetched with the first
 * chat; what a chat's first paint does not need is fetched when it is first wanted.
 */
import { newId } from './models/format.js';
import { DraftSync } from './services/draftSync.js';
import { MessageApi } from './services/messageApi.js';
import { ComposerViewModel } from './viewmodels/composerViewModel.js';
import { ConversationViewModel } from './viewmodels/conversationViewModel.js';
import { ConversationView } from './views/conversation.js';
import { loadStyles } from './views/laterStyles.js';

/** What chats need beside the page's own services: made once, since drafts outlive the chat that is open. */
let services = null;

/**
 * @param {object} client what `createClient` gives
 * @returns {Promise<(roomId: string, at?: number) => {view: ConversationView, ready: () => void}>} opens a chat
 */
export async function prepare(client) {
  services ??= makeServices(client);
  // The page of a chat came with it; others fetch it now.
  if (!document.querySelector('link[rel="stylesheet"][href$="/css/later/chat.css"]')) await loadStyles('chat');
  return (roomId, at) => open(services, roomId, at);
}

function makeServices(client) {
  const messageApi = new MessageApi(client.api);
  const more = { messageApi, origin: location.origin, newId: () => newId((bytes) => crypto.getRandomValues(bytes)) };
  return { ...client, ...more, draftSync: new DraftSync({ ...client, messageApi }) };
}

function open(services, roomId, at = null) {
  const model = new ConversationViewModel(roomId, services);
  const composer = new ComposerViewModel(roomId, services, (message) => model.take(message));
  let actions = null;
  const getActions = () => (actions ??= import('./viewmodels/messageActions.js')
    .then(({ MessageActions }) => new MessageActions(roomId, services, model))
    .catch((error) => {
      actions = null;
      throw error;
    }));
  const view = new ConversationView(model, composer, {
    actions: getActions,
    async forward(seqs) {
      const { ForwardViewModel } = await import('./viewmodels/forwardViewModel.js');
      return new ForwardViewModel(roomId, services, seqs);
    },
    async invite() {
      const [{ Groups }, { inviteLink }] = await Promise.all([
        import('./services/groups.js'), import('./viewmodels/groups/inviteLink.js'),
      ]);
      return inviteLink(new Groups(services.api, null), services.origin);
    },
    async completion() {
      const { CompletionViewModel } = await import('./viewmodels/completionViewModel.js');
      const members = async () => (await getActions()).members();
      return new CompletionViewModel({ members, emoji: () => import('./models/emoji.js'), store: services.store });
    },
  });
  const ready = async () => {
    if (!await model.open({ at })) view.tellGone();
  };
  return { view, ready };
}
