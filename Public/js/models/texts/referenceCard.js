/** The texts of a reference's card. Loaded with it. */

export const referenceCardTexts = {
  open: 'Open',
};
