import { inviteTexts } from './texts/invite.js';

/**
 * The invitation token in pasted text: a whole address, or the token alone.
 * @param {string} text
 * @returns {string}
 */
export function tokenOf(text) {
  const trimmed = text.trim();
  const [, inAddress] = /\/invit(?:e|ations)\/([^/?#\s]+)/.exec(trimmed) ?? [];
  if (!inAddress) return trimmed;
  try {
    return decodeURIComponent(inAddress);
  } catch {
    return inAddress;
  }
}

/** The inviter's name; the operator has none. @param {{name: string}|null} inviter */
export function inviterName(inviter) {
  return inviter?.name || inviteTexts.operator;
}
