/** The demo game's shop: offers by audience, and a price test with a control group and a salt of its own. */

import type { DemoContent } from './demo-content.js';

const text = `{
  "banner": { "image": "shop/banner-harbour", "title": "shop.banner.harbour", "until": null },

  // Prices are in US dollars; the stores convert them. 1.10 stays 1.10.
  "packs": {
    "pearls-handful": { "sku": "com.lumen.pearls.1", "pearls": 80, "price": 0.99, "bonusPercent": 0 },
    "pearls-pouch": { "sku": "com.lumen.pearls.2", "pearls": 500, "price": 4.99, "bonusPercent": 0 },
    "pearls-chest": { "sku": "com.lumen.pearls.3", "pearls": 1200, "price": 9.99, "bonusPercent": 10 },
    "pearls-treasury": { "sku": "com.lumen.pearls.4", "pearls": 6500, "price": 49.90, "bonusPercent": 15 },
  },

  "bundles": [
    {
      "id": "navigator",
      "sku": "com.lumen.bundle.navigator",
      "price": 5.99, // tested, see the mapping
      "contents": [{ "pearls": 300 }, { "coins": 5000 }, { "hero": "marlow" }],
      "limit": 1,
    },
    {
      "id": "lamplighter",
      "sku": "com.lumen.bundle.lamplighter",
      "price": 14.99,
      "contents": [{ "pearls": 900 }, { "chest": "chest-coral" }, { "skin": "lantern-aurora" }],
      "limit": 1,
    },
  ],

  /* Drawn anew at midnight of the player's clock. */
  "daily": {
    "slots": 4,
    "pool": [
      { "item": "embers-10", "coins": 400, "weight": 30 },
      { "item": "embers-30", "pearls": 20, "weight": 15 },
      { "item": "chest-driftwood", "coins": 900, "weight": 25 },
      { "item": "chest-coral", "pearls": 45, "weight": 10 },
      { "item": "hero-shard-any", "coins": 1500, "weight": 12 },
      { "item": "skin-token", "pearls": 80, "weight": 8 },
    ],
    "refreshPrice": { "pearls": 5 },
  },

  "featured": ["lamplighter"],
}
`;

/** Money, so it is checked: what the tests and offers make of it as well. */
const schema = `{
  "type": "object",
  "required": ["packs", "bundles", "daily"],
  "properties": {
    "packs": { "type": "object", "additionalProperties": { "$ref": "#/$defs/pack" } },
    "bundles": { "type": "array", "items": { "$ref": "#/$defs/bundle" } }
  },
  "$defs": {
    "price": { "type": "number", "minimum": 0.49, "maximum": 99.99 },
    "pack": {
      "type": "object",
      "required": ["sku", "pearls", "price"],
      "properties": {
        "sku": { "type": "string", "pattern": "^com\\\\.lumen\\\\." },
        "pearls": { "type": "integer", "minimum": 1 },
        "price": { "$ref": "#/$defs/price" },
        "bonusPercent": { "type": "integer", "minimum": 0, "maximum": 100 }
      }
    },
    "bundle": {
      "type": "object",
      "required": ["id", "sku", "price"],
      "properties": { "price": { "$ref": "#/$defs/price" }, "limit": { "type": "integer", "minimum": 1 } }
    }
  }
}`;

const mapping = `[
  // First three days: one cheap offer in front, nothing else shouts.
  {
    "segment": "new-players",
    "info": "starter-2",
    "patch": [
      { "op": "add", "path": "/featured/0", "value": "navigator" },
      { "op": "replace", "path": "/banner/title", "value": "shop.banner.welcome" },
    ],
  },
  {
    "segment": "whales",
    "info": "vip-4",
    "merge": {
      "banner": { "image": "shop/banner-observatory", "title": "shop.banner.observatory" },
      "packs": { "pearls-treasury": { "bonusPercent": 40 } },
    },
  },
  // Prices in the EU end on .95 with VAT inside.
  { "segment": "eu-players", "merge": { "packs": { "pearls-pouch": { "price": 4.95 } } } },
  // The salt keeps these groups apart from those of every other test.
  {
    "segment": "navigator-price",
    "when": { "platform": { "$in": ["ios", "android"] } },
    "salt": "navigator-price-3",
    "variants": [
      { "name": "control", "groups": [0, 399] },
      { "name": "low", "groups": [400, 699], "patch": [{ "op": "replace", "path": "/bundles/0/price", "value": 3.99 }] },
      { "name": "high", "groups": [700, 999], "patch": [{ "op": "replace", "path": "/bundles/0/price", "value": 7.99 }] },
    ],
  },
]
`;

export const shopContent: DemoContent = {
  id: 'shop',
  description: 'Packs, bundles and the daily shop.',
  tags: ['monetisation'],
  lines: [{ appVersion: '0.0.0', text }],
  mapping,
  schema,
  saves: [
    { at: '24d 09:33', by: 'mei', note: 'The shop as it is in the app.' },
    {
      at: '18d 15:10',
      by: 'mei',
      note: 'The chest gets a bonus.',
      changes: [
        [
          '"pearls": 1200, "price": 9.99, "bonusPercent": 0',
          '"pearls": 1200, "price": 9.99, "bonusPercent": 10',
        ],
      ],
    },
    {
      at: '14d 10:02',
      by: 'mei',
      note: 'Third price test of the navigator bundle; VAT in the EU.',
      mapping: true,
    },
    {
      at: '11d 16:44',
      by: 'mei',
      note: 'Lamplighter costs a little less.',
      changes: [['"price": 14.99', '"price": 1.49']],
      undone: { at: '11d 16:51', by: 'nora' },
    },
    {
      at: '4d 12:25',
      by: 'mei',
      note: 'Harbour banner for the autumn.',
      changes: [
        [
          '{ "image": "shop/banner-beach", "title": "shop.banner.beach"',
          '{ "image": "shop/banner-harbour", "title": "shop.banner.harbour"',
        ],
      ],
    },
  ],
};
