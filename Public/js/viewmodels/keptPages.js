/** What an open chat shows of kept messages, while no server answers. */

/** What a request fails of where no server answers. */
const UNREACHABLE = ['network', 'timeout'];

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
