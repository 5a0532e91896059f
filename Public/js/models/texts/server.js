/**
 * The server's own sentences in problem documents, for problems without a text here. They are English: a translation
 * maps those that people meet, and returns nothing for any other, so that the general text shows.
 */
export const serverTexts = {
  /** The server's sentence in this language; '' for one that has no words in it. @param {string|undefined} sentence */
  said: (sentence) => sentence ?? '',
};
