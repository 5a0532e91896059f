/**
 * What people put under a message: `{emoji, count, mine}` each, in the order in which they first came. Pure rules over
 * such lists; what an answer said, what an event changes, and what is wanted but not yet known to be stored.
 * @typedef {{emoji: string, count: number, mine: boolean}} Reaction
 */

import { NO_REACTIONS } from './messageRows.js';

/**
 * The list after an event: its count is the truth of that moment, whatever was counted here.
 * @param {readonly Reaction[]|undefined} reactions
 * @param {{emoji: string, count: number}} event
 * @param {boolean|null} mine whether I have it now, null where the event was about somebody else
 * @returns {readonly Reaction[]}
 */
export function withCount(reactions = NO_REACTIONS, { emoji, count }, mine) {
  const known = reactions.find((one) => one.emoji === emoji);
  if (count <= 0) return reactions.filter((one) => one !== known);
  const next = { emoji, count, mine: mine ?? known?.mine ?? false };
  return known ? reactions.map((one) => (one === known ? next : one)) : [...reactions, next];
}

/**
 * The list as I want it: idempotent, so that it may be laid over what the server says until it says the same.
 * @param {readonly Reaction[]|undefined} reactions
 * @param {string} emoji
 * @param {boolean} wanted whether I want to have it
 */
export function withMine(reactions = NO_REACTIONS, emoji, wanted) {
  const known = reactions.find((one) => one.emoji === emoji);
  if ((known?.mine ?? false) === wanted) return reactions;
  return withCount(reactions, { emoji, count: (known?.count ?? 0) + (wanted ? 1 : -1) }, wanted);
}
