/** Push messages of the demo game: three lines by what clients can show, and a test that has no salt of its own. */

import type { DemoContent } from './demo-content.js';

const oldest = `{
  // Clients before 1.6.0 show plain texts only.
  "messages": [
    { "id": "energy-full", "text": "push.energy-full", "hour": 18 },
    { "id": "daily-treasure", "text": "push.daily-treasure", "hour": 9 },
  ],
}
`;

const withImages = `{
  "messages": [
    { "id": "energy-full", "text": "push.energy-full", "hour": 18, "image": "push/lantern" },
    { "id": "daily-treasure", "text": "push.daily-treasure", "hour": 9, "image": "push/chest" },
    { "id": "friend-waits", "text": "push.friend-waits", "hour": 19, "image": null },
  ],
  "perDayMax": 2,
}
`;

const withActions = `{
  // From 2.0.0 on a message can open a place in the game.
  "messages": [
    { "id": "energy-full", "text": "push.energy-full", "hour": 18, "image": "push/lantern", "opens": "map" },
    { "id": "daily-treasure", "text": "push.daily-treasure", "hour": 9, "image": "push/chest", "opens": "daily" },
    { "id": "friend-waits", "text": "push.friend-waits", "hour": 19, "image": null, "opens": "guild" },
    { "id": "festival", "text": "push.festival", "hour": 17, "image": "push/festival", "opens": "events" },
  ],
  "perDayMax": 2, // stores frown upon more
  "quietAfterPurchaseHours": 24,
}
`;

const mapping = `[
  // No salt: these groups are cut from the same line as those of "starting-gift".
  {
    "segment": "push-hour",
    "when": { "pushAllowed": true },
    "variants": [
      { "name": "control", "groups": [0, 332] },
      { "name": "earlier", "groups": [333, 665], "patch": [{ "op": "replace", "path": "/messages/0/hour", "value": 16 }] },
      { "name": "later", "groups": [666, 899], "patch": [{ "op": "replace", "path": "/messages/0/hour", "value": 20 }] },
    ],
  },
  { "segment": "lapsed", "merge": { "perDayMax": 1 } },
]
`;

export const notificationsContent: DemoContent = {
  id: 'notifications',
  description: 'Push messages: texts, hours and images.',
  tags: ['live-ops', 'messages'],
  lines: [
    { appVersion: '0.0.0', text: oldest },
    { appVersion: '1.6.0', text: withImages },
    { appVersion: '2.0.0', text: withActions },
  ],
  mapping,
  saves: [
    { at: '12d 09:40', by: 'tomas', note: 'Messages that open a place in the game.' },
    {
      at: '8d 13:12',
      by: 'mei',
      note: 'Test: when do players come back for a full lantern?',
      mapping: true,
    },
    {
      at: '3d 09:55',
      by: 'tomas',
      note: 'A day of quiet after a purchase.',
      changes: [['"quietAfterPurchaseHours": 6', '"quietAfterPurchaseHours": 24']],
    },
  ],
};
