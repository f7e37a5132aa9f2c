/** Feature switches of the demo game: small, read at every start, switched by app version. */

import type { DemoContent } from './demo-content.js';

const text = `{
  // Read once at start-up, before the first screen. Keep it small.
  "switches": {
    "guilds": true,
    "guildWars": false,        // needs the 2.1 client, see the mapping
    "photoMode": true,
    "cloudSave": true,
    "replaySharing": false,
    "crossPlay": true,
    "offlineIslands": false,   /* waits for legal in BR */
  },
  "limits": {
    "friendsMax": 200,
    "guildMembersMax": 40,
    "chatMessagesPerMinute": 20,
    "saveSlots": 3,
  },
  "telemetry": { "sampleRate": 0.10, "endpoint": "https://telemetry.lumen-isles.example/v2" },
  "maintenance": null,
  // 64-bit ids are delivered digit by digit, also those a double cannot hold.
  "buildChannelId": 9007199254740993,
}
`;

const mapping = `[
  // Clients before 2.1 crash on the guild-war map.
  {
    "segment": "guild-wars-rollout",
    "when": { "@v": { "$vgte": "2.1.0" } },
    "merge": { "switches": { "guildWars": true } },
  },
  // Beta testers see what comes next; their telemetry is complete.
  {
    "segment": "beta-testers",
    "info": "beta-ring",
    "patch": [
      { "op": "replace", "path": "/switches/replaySharing", "value": true },
      { "op": "replace", "path": "/telemetry/sampleRate", "value": 1.0 },
    ],
  },
]
`;

export const featuresContent: DemoContent = {
  id: 'features',
  description: 'Feature switches, read at start-up.',
  tags: ['core'],
  lines: [{ appVersion: '0.0.0', text }],
  mapping,
  saves: [
    { at: '25d 10:12', by: 'nora', note: 'From the old spreadsheet.' },
    {
      at: '17d 14:31',
      by: 'tomas',
      note: 'Guild wars for clients from 2.1 on; larger guilds.',
      changes: [['"guildMembersMax": 30', '"guildMembersMax": 40']],
      mapping: true,
    },
    {
      at: '8d 09:47',
      by: 'mei',
      note: 'Photo mode is out of beta.',
      changes: [['"photoMode": false', '"photoMode": true']],
    },
  ],
};
