/**
 * The token in what somebody pasted: a whole address, or the token alone.
 * @param {string} text
 * @returns {string}
 */
export function tokenOf(text) {
  const trimmed = text.trim();
  const [, inAddress] = /\/invite\/([^/?#\s]+)/.exec(trimmed) ?? [];
  if (!inAddress) return trimmed;
  try {
    return decodeURIComponent(inAddress);
  } catch {
    return inAddress;
  }
}
