/** The texts of the notifications' settings. Loaded with that page. */

export const notificationTexts = {
  heading: 'Notifications',
  allow: 'Notifications on this device',
  hint: {
    default: 'Your browser will ask you whether Hubbub may show them.',
    granted: 'One for each chat, of what you want to hear of; gone once you have read it anywhere.',
    denied:
      'Your browser has been told not to show notifications of this site. Allow them in its settings for this site.',
    insecure: 'Browsers allow notifications on secure addresses only: this page did not come by https.',
    unsupported: 'This browser cannot show notifications. On a phone, install Hubbub on the home screen first.',
  },
  withoutPush: 'They come while a page of Hubbub is open.',
  withPush: 'They come also while no page of Hubbub is open.',
  failed: 'This did not work.',
  foreign: 'This server does not send to the push service of your browser.',
  refused: 'Your browser was not allowed to show notifications.',
  test: 'Send me a test',
  testing: 'Sending…',
  tested: 'Sent. It shows in a moment.',
  testText: 'Notifications work on this device.',
  sounds: {
    sending: 'Sound when I send',
    sendingHint: 'On this device.',
    receiving: 'Sound when a message comes',
    receivingHint: 'On this device, for what you want to hear of.',
  },
  quiet: {
    label: 'Do not disturb',
    hint: 'Every day in these hours there are no notifications, hints or sounds, on any of your devices.',
    from: 'From',
    to: 'To',
  },
};
