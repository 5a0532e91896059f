/** Characters that every URL parser reads alike, and `%` for escapes. */
const ALLOWED = /^\/[A-Za-z0-9\-._~%!$&()*+,;=:@/?]*$/;
const LONGEST = 1024;

/**
 * A path of this site to go to after signing in; anything that could lead elsewhere is `/chats`. The same
 * rules as the server's.
 * @param {string|null|undefined} wanted
 * @returns {string}
 */
export function returnPath(wanted) {
  const text = wanted ?? '';
  if (text.length > LONGEST || !ALLOWED.test(text)) return '/chats';
  const [path] = text.split('?', 1);
  const parts = path.split('/').slice(1);
  const empty = parts.slice(0, -1).some((part) => part === '');
  return empty || !parts.every(isPlain) || parts[0] === 'auth' || parts[0] === 'api' ? '/chats' : text;
}

/** A path segment that contains no other path, however often it is decoded. */
function isPlain(part) {
  let decoded = part;
  while (decoded.includes('%')) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return false;
    }
  }
  return decoded !== '.' && decoded !== '..' && !/[\u0000-\u0020\u007f/\\]/.test(decoded);
}
