/** What the market shows, read from the active configuration: each value with a default, so that no edit breaks the game. */

const names = {
  'pearls-handful': 'Handful of pearls',
  'pearls-pouch': 'Pouch of pearls',
  'pearls-chest': 'Chest of pearls',
  'pearls-treasury': 'Treasury of pearls',
};

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const counts = new Intl.NumberFormat('en-US');

export const asDollars = (price) => dollars.format(price);

/**
 * @param client of Loadout
 * @param before the market that the player saw, or null
 */
export function readMarket(client, before = null) {
  const value = (id, pointer, otherwise) => client.get(id, pointer, otherwise).value;
  const words = (key, otherwise) => value('localisation-en', pointerTo(key), otherwise);
  const titleAt = (id, pointer) => {
    const key = value(id, pointer, '');
    return key === '' ? '' : words(key, key);
  };
  const list = (pointer) => {
    const found = value('shop', pointer, []);
    return Array.isArray(found) ? found : [];
  };
  const packs = Object.keys(value('shop', '/packs', {})).map((id) =>
    readOffer(value, `/packs${pointerTo(id)}`, names[id] ?? id, 'pack'),
  );
  const featured = list('/featured');
  const bundles = list('/bundles').map((_, number) => {
    const id = value('shop', `/bundles/${number}/id`, '');
    const name = words(`shop.bundle.${id}`, id);
    const kind = featured.includes(id) ? 'featured' : 'bundle';
    return readOffer(value, `/bundles/${number}`, name, kind);
  });
  const offers = [...packs, ...bundles];
  for (const offer of offers) {
    const seen = before?.offers.find(({ pointer }) => pointer === offer.pointer);
    offer.was = seen === undefined || seen.price === offer.price ? null : seen.price;
  }
  return {
    words,
    offers,
    title: words('shop.title', 'Market'),
    banner: titleAt('shop', '/banner/title'),
    event: titleAt('events', '/limited/title'),
    isFestival: value('events', '/decorations/harbour', 'default') === 'lanterns',
    embersMax: value('economy', '/energy/max', 30),
    voyageEmbers: value('economy', '/energy/costs/calm', 4),
    startingBalance: {
      coins: value('economy', '/startingBalance/coins', 0),
      pearls: value('economy', '/startingBalance/pearls', 0),
      embers: value('economy', '/startingBalance/embers', 0),
    },
  };
}

function readOffer(value, pointer, name, kind) {
  const bonusPercent = value('shop', `${pointer}/bonusPercent`, 0);
  const price = value('shop', `${pointer}/price`, 0);
  const contents = Object.values(value('shop', `${pointer}/contents`, []));
  const pearls =
    kind === 'pack'
      ? value('shop', `${pointer}/pearls`, 0)
      : contents.reduce((sum, part) => sum + (Number(part?.pearls) || 0), 0);
  const goods = kind === 'pack' ? `${counts.format(pearls)} pearls` : listed(contents);
  const bonus = bonusPercent === 0 ? '' : `+${bonusPercent} %`;
  return { pointer, name, kind, pearls, bonus, price, was: null, goods };
}

/** `[{ pearls: 300 }, { hero: 'marlow' }, { chest: 'chest-coral' }]` as `300 pearls, hero marlow, chest coral`. */
function listed(contents) {
  const parts = contents.flatMap((part) => Object.entries(part ?? {}));
  return parts
    .map(([what, much]) =>
      typeof much === 'number'
        ? `${counts.format(much)} ${what}`
        : `${what} ${`${much}`.replace(`${what}-`, '')}`,
    )
    .join(', ');
}

/** A member's name as a JSON Pointer has it (RFC 6901). */
function pointerTo(name) {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
