/**
 * The reactions of a message, in the order of their first use: what the server sent, what events change, and what the
 * user chose but the server has not confirmed.
 * @typedef {{emoji: string, count: number, mine: boolean}} Reaction
 */

import { NO_REACTIONS } from './messageRows.js';

/**
 * The list after an event, whose count replaces the local one.
 * @param {readonly Reaction[]|undefined} reactions
 * @param {{emoji: string, count: number}} event
 * @param {boolean|null} mine whether the user reacts with it now; null if the event is about another person
 * @returns {readonly Reaction[]}
 */
export function withCount(reactions = NO_REACTIONS, { emoji, count }, mine) {
  const known = reactions.find((one) => one.emoji === emoji);
  if (count <= 0) return reactions.filter((one) => one !== known);
  const next = { emoji, count, mine: mine ?? known?.mine ?? false };
  return known ? reactions.map((one) => (one === known ? next : one)) : [...reactions, next];
}

/**
 * The list with the user's choice. Idempotent: it applies on top of the server's list until that confirms it.
 * @param {readonly Reaction[]|undefined} reactions
 * @param {string} emoji
 * @param {boolean} wanted whether the user reacts with it
 */
export function withMine(reactions = NO_REACTIONS, emoji, wanted) {
  const known = reactions.find((one) => one.emoji === emoji);
  if ((known?.mine ?? false) === wanted) return reactions;
  return withCount(reactions, { emoji, count: (known?.count ?? 0) + (wanted ? 1 : -1) }, wanted);
}

/** Whether an event is about reactions or pins. @param {string} event */
export const isMark = (event) => /^(reaction|pin)\./.test(event);

/**
 * A message after such an event.
 * @param {object} message @param {{event: string, data?: any, mine?: boolean}} change `mine`: by the user
 */
export function marked(message, { event, data, mine }) {
  if (event.startsWith('pin.')) return { ...message, pinned_at: event === 'pin.added' ? data.pinned_at : null };
  return { ...message, reactions: withCount(message.reactions, data, mine ? event === 'reaction.added' : null) };
}
