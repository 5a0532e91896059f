/** Composes the card of a person. Fetched when a face, a name or a mention is first pressed. */
import { PersonCardViewModel } from '../viewmodels/personCardViewModel.js';
import { isOpen } from '../views/chat/dialog.js';
import { loadStyles } from '../views/laterStyles.js';
import { openPersonCard } from '../views/personCardView.js';

/**
 * @param {object} services `api`, `store`, `clock`
 * @param {(address: string) => void} navigate
 * @returns {(user: {id: string}, place: {anchor?: Element|null, roomId?: string, compose?: {focus: () => void,
 *   insert: (text: string) => void}}) => Promise<void>} shows a person beside an element; `roomId` and `compose`: the
 *   open chat, where they can be mentioned
 */
export function makeCards(services, navigate) {
  return async (user, { anchor = null, roomId, compose }) => {
    await loadStyles('messageTools', 'personCard');
    if (isOpen('person-card')) return;
    const model = new PersonCardViewModel(services, user);
    model.open();
    openPersonCard(model, {
      anchor,
      mention: compose && ((handle) => compose.insert(`@${handle} `)),
      go: (room) => (room === roomId && compose ? compose.focus() : navigate(`/chats/${room}`)),
    });
  };
}
