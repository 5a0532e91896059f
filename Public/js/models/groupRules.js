/**
 * Permissions in a group (docs/api.md, "Groups"). The server decides; these rules say what the page offers.
 * @typedef {'owner'|'admin'|'member'} Role
 * @typedef {'write'|'makeAdmin'|'makeMember'|'handOver'|'remove'|'ban'} MemberAction
 */
import { locale } from './texts.js';

const RANKS = { owner: 0, admin: 1, member: 2 };

/** Whether a role may change the group, add, ban and invite. @param {Role|null} role */
export const governs = (role) => role === 'owner' || role === 'admin';

/**
 * The actions offered for a member. Only the owner assigns roles; admins act on plain members only.
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

const names = new Intl.Collator(locale, { sensitivity: 'base', numeric: true });

/** The server's order of members: owner, admins, then by name. */
export function compareMembers(one, other) {
  return RANKS[one.role] - RANKS[other.role] || names.compare(one.name, other.name)
    || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** A text without case and accents, for comparing names. */
export function plainText(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();
}
