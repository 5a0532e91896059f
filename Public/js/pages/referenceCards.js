/** Composes the cards of references in a chat. Fetched with the first reference that may have one. */
import { faceOf } from '../models/thing.js';
import { GitHubCards } from '../services/gitHubCards.js';
import { loadStyles } from '../views/laterStyles.js';
import { ReferenceCards } from '../views/github/logReferences.js';

/** Kept for the visit, whatever chat is open. @type {GitHubCards|null} */
let cards = null;

/**
 * @param {object} host of the log's tools
 * @param {object} services `api`, `clock`
 * @param {(user: object, place: object) => Promise<void>} openCard opens the card of a person
 * @returns {Promise<ReferenceCards>}
 */
export async function makeReferenceCards(host, services, openCard) {
  await loadStyles('news', 'messageTools', 'referenceCard');
  cards ??= new GitHubCards(services);
  return new ReferenceCards(host, {
    cards,
    now: () => services.clock.now(),
    openPerson(profile, anchor) {
      const user = profile.user_id ? { id: profile.user_id } : { account: profile, face: faceOf(profile) };
      return openCard(user, { anchor, ...(profile.user_id ? { compose: host.composer } : {}) });
    },
  });
}
