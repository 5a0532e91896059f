/**
 * Who may do what in a group (docs/api.md, "Groups"). The server decides; these say what is worth offering.
 * @typedef {'owner'|'admin'|'member'} Role
 * @typedef {'write'|'makeAdmin'|'makeMember'|'handOver'|'remove'|'ban'} MemberAction
 */

export const LONGEST_ROOM_NAME = 80;
export const LONGEST_TOPIC = 400;
export const MOST_MEMBERS = 5000;
const RANKS = { owner: 0, admin: 1, member: 2 };

/** Whether somebody with that role changes the group, adds, bans and invites. @param {Role|null} role */
export const governs = (role) => role === 'owner' || role === 'admin';

/**
 * What one may do with a member. Roles are the owner's to give; admins deal with members alone.
 * @param {Role|null} mine @param {Role} theirs @param {boolean} isMe
 * @returns {MemberAction[]}
 */
export function memberActions(mine, theirs, isMe) {
  if (isMe) return [];
  if (mine === 'owner' && theirs !== 'owner') {
    return ['write', theirs === 'admin' ? 'makeMember' : 'makeAdmin', 'handOver', 'remove', 'ban'];
  }
  if (mine === 'admin' && theirs === 'member') return ['write', 'remove', 'ban'];
  return ['write'];
}

const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Order of members: owner, admins, then by name, as the server pages them. */
export function compareMembers(one, other) {
  return RANKS[one.role] - RANKS[other.role] || names.compare(one.name, other.name)
    || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Text to compare names by: without case and accents. */
export function plainText(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();
}
