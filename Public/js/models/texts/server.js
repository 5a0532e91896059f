/**
 * What the server says itself in its problems, where nobody here knows better. It says it in English: another language has
 * its own words for the sentences that people meet, and for any other says nothing, so that the general text shows.
 */
export const serverTexts = {
  /** The server's sentence in this language; '' for one that has no words in it. @param {string|undefined} sentence */
  said: (sentence) => sentence ?? '',
};
