/**
 * Remembers across signing in that the user accepted an invitation. The address alone must not accept it: others could
 * send such a link.
 */
const NAME = 'accepting';

/** @param {string} token */
export function setAccepting(token) {
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // Storage is blocked: the user accepts again after signing in.
  }
}

/** Whether this invitation was accepted; true only once. @param {string} token @returns {boolean} */
export function takeAccepting(token) {
  try {
    const chosen = sessionStorage.getItem(NAME) === token;
    if (chosen) sessionStorage.removeItem(NAME);
    return chosen;
  } catch {
    return false;
  }
}
