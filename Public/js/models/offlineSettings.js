/** How many messages of each chat this browser keeps, and how many it asks for at once: a person's choices (O1). */
export const KEPT_CHOICES = [50, 200, 1000];
export const PAGE_CHOICES = [25, 50, 100];

/** @param {{get: (name: string) => string}} [preferences] @returns {number} messages of each chat that are kept */
export function keptCount(preferences) {
  return chosen(preferences, 'kept_messages', KEPT_CHOICES) ?? 200;
}

/** @param {{get: (name: string) => string}} [preferences] @returns {number} messages of a page */
export function pageSize(preferences) {
  return chosen(preferences, 'page_size', PAGE_CHOICES) ?? 50;
}

function chosen(preferences, name, choices) {
  const value = Number(preferences?.get(name));
  return choices.includes(value) ? value : null;
}
