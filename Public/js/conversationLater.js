/** Composition of what an open chat has beside its first paint: what hangs on messages, and what is done with them. */
import { newId } from './models/format.js';
import { MessageApi } from './services/messageApi.js';
import { MessageExtras } from './viewmodels/messageExtras.js';
import { LogTools } from './views/logTools.js';

/**
 * Completes an open chat.
 * @param {object} chat `services`, `roomId`, `model`, `view`
 * @returns {object} makers of view models that are fetched when they are first wanted
 */
export function complete({ services: basic, roomId, model, view }) {
  const messageApi = new MessageApi(basic.api);
  const makeId = () => newId((bytes) => crypto.getRandomValues(bytes));
  const services = { ...basic, messageApi, origin: location.origin, newId: makeId };
  model.extend((window, onChange) => new MessageExtras(roomId, services, window, onChange));
  model.extras.pins.load();
  let actions = null;
  const tools = {
    actions: () => (actions ??= import('./viewmodels/messageActions.js')
      .then(({ MessageActions }) => new MessageActions(roomId, services, model))
      .catch((error) => {
        actions = null;
        throw error;
      })),
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
      const members = async () => (await tools.actions()).members();
      return new CompletionViewModel({ members, emoji: () => import('./models/emoji.js'), store: services.store });
    },
    async edit(seq, text) {
      const { body } = await messageApi.edit(roomId, seq, text);
      model.take(body);
    },
  };
  view.extend((host) => new LogTools(host, tools));
  return tools;
}
