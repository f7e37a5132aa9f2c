/** A game that reads a content item through its generated types, and prints what it reads. */

import { createClient } from '@loadout/client';
import { type Contents, getContent } from './contents.js';

const [url = '', key = ''] = process.argv.slice(2);
const none: Contents['shop'] = { currency: 'USD', gems: 0, offers: [] };
const client = createClient({ url, key, user: 'player-1', storage: null, updates: 'none' });
await client.start(10_000);
const { value: shop, source } = getContent(client, 'shop', none);
const [offer] = shop.offers;
const names = Object.keys(shop.prices ?? {}).join(',');
console.log(
  [source, shop.currency, shop.gems, offer?.id, offer?.price, shop.opens, names].join(' '),
);
const { value: motd } = getContent(client, 'motd', { text: 'none', hours: [] });
console.log(`${motd.text} ${motd.hours.length} ${motd.link ?? 'no link'}`);
await client.stop();
