/**
 * Remembers, across signing in, that somebody chose to accept an invitation. The address alone must not do it: a link
 * that lets people into rooms without their asking is one that others could send them.
 */
const NAME = 'accepting';

/** @param {string} token */
export function setAccepting(token) {
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // Then there is one more button to press afterwards.
  }
}

/** Whether this invitation was chosen; once. @param {string} token @returns {boolean} */
export function takeAccepting(token) {
  try {
    const chosen = sessionStorage.getItem(NAME) === token;
    if (chosen) sessionStorage.removeItem(NAME);
    return chosen;
  } catch {
    return false;
  }
}
