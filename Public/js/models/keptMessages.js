/** What this browser keeps of each chat, as a person chose, and what an open chat shows of it without the server. */

/** The choices of how many messages are kept of each chat, and how many a page has. */
export const KEPT_CHOICES = [50, 200, 1000];
export const PAGE_CHOICES = [25, 50, 100];
/** The kinds of `ApiError` when no server answers. */
const UNREACHABLE = ['network', 'timeout'];

/** @param {{get: (name: string) => string}} [preferences] @returns {number} messages of each chat that are kept */
export function keptCount(preferences) {
  return chosen(preferences, 'kept_messages', KEPT_CHOICES) ?? 200;
}

/** @param {{get: (name: string) => string}} [preferences] @returns {number} messages of a page */
export function pageSize(preferences) {
  return chosen(preferences, 'page_size', PAGE_CHOICES) ?? 50;
}

function chosen(preferences, name, choices) {
  const value = Number(preferences?.get(name));
  return choices.includes(value) ? value : null;
}

/** @param {object|null} error @param {object} [sync] @returns {boolean} whether no server answers */
export function isCutOff(error, sync) {
  return UNREACHABLE.includes(error?.kind) || (!error && sync?.state.connection === 'offline');
}

/**
 * The newest of the kept messages, and those from `from` on if that is not too far.
 * @param {object[]} messages ascending @param {number|null} from seq @param {{page: number, most: number}} limits
 */
export function newestKept(messages, from, { page, most }) {
  const reach = from === null ? 0 : messages.length - messages.findIndex(({ seq }) => seq >= from);
  return messages.slice(-Math.min(most, Math.max(page, reach + 1)));
}

/** The page before a message, as this browser kept it. @returns {Promise<object[]>} ascending */
export async function keptBefore(sync, roomId, low, page) {
  return (await sync.kept(roomId)).filter(({ seq }) => seq < low).slice(-page);
}
