/** The texts of choosing a picture, for profiles and groups. Loaded with those pages. */
export const pictureTexts = {
  choose: 'Choose a picture',
  change: 'Change picture',
  drop: 'Drop the picture here',
  hint: 'Or drop or paste one. It is cut to a square.',
  use: 'Use this picture',
  remove: 'Remove picture',
  reading: 'Reading the picture…',
  uploading: 'Storing the picture…',
  progress: 'Progress of the upload',
  stored: 'The new picture is stored.',
  removed: 'The picture is removed.',
  preview: 'Preview of the new picture',
  notImage: 'This is not a picture that can be read. Choose a PNG, JPEG, WebP or GIF.',
  tooLarge: 'This file is too large. Choose a picture of at most 30 MB.',
  tooLargeForServer: 'The server finds this picture too large.',
};
