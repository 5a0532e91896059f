'use strict';

// What a push message shows is added here: `push` and `notificationclick`.
