/** Makes content as games have it: settings, a shop, heroes, levels, texts in several languages. */
import { SeededRandom } from './random.js';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const words =
  'amber atlas comet coral dawn ember fern frost harbour iris lantern moss north opal quartz reef storm tide vale willow';
const nouns = words.split(' ');
const roles = ['tank', 'healer', 'ranger', 'mage', 'rogue'];
const rarities = ['common', 'uncommon', 'rare', 'epic', 'legendary'];
const greetings = [
  'Willkommen zurück',
  'Bon retour, aventurier',
  'おかえりなさい',
  'Добро пожаловать',
  'Welcome "back"',
];

/**
 * An object of about `bytes` bytes of minified JSON (never more, at most 3 % or 200 bytes less). What mappings
 * change stands at its beginning (settings), in its middle (economy) and at its end (events).
 */
export function gameContent(seed: number, bytes: number): JsonObject {
  const random = new SeededRandom(seed);
  const heroes: Record<string, Json> = {};
  const levels: Json[] = [];
  const whole = (): JsonObject => ({
    settings: { title: greetings[0]!, refreshSeconds: 300, banner: 'harbour', music: 0.8 },
    heroes,
    economy: { dailyCoins: 500, adReward: 25, discountPercent: 0, currency: 'USD' },
    levels,
    events: { active: false, double: null, name: 'calm-seas', rewards: [10, 20, 50] },
  });
  let left = bytes - byteLength(whole());
  for (let number = 0; ; number += 1) {
    const hero = number % 2 === 0;
    const key = `${random.pick(nouns)}-${number.toString(36).padStart(3, 'x')}`;
    const entry = hero ? heroOf(random) : levelOf(random, number);
    const size = byteLength(entry) + 1 + (hero ? key.length + 3 : 0);
    if (size > left) return whole();
    left -= size;
    if (hero) heroes[key] = entry;
    else levels.push(entry);
  }
}

function heroOf(random: SeededRandom): JsonObject {
  return {
    name: `${random.pick(nouns)} ${random.pick(nouns)}`,
    role: random.pick(roles),
    rarity: random.pick(rarities),
    health: 400 + random.below(2000),
    attack: round(20 + random.next() * 180),
    unlocked: random.below(3) > 0,
    greeting: random.pick(greetings),
  };
}

function levelOf(random: SeededRandom, number: number): JsonObject {
  return {
    id: `level-${number}`,
    waves: Array.from({ length: 1 + random.below(3) }, () => random.below(40)),
    boss: random.below(4) === 0 ? `${random.pick(nouns)}-boss` : null,
    timeLimit: 30 * (1 + random.below(6)),
    drop: { item: random.pick(nouns), chance: round(random.next()) },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function byteLength(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The same as people keep it in a repository: indented, with comments of both kinds. */
export function withComments(content: JsonObject, seed: number): string {
  const random = new SeededRandom(seed);
  const lines = JSON.stringify(content, null, 2).split('\n');
  return lines
    .map((line) => {
      const roll = random.below(24);
      if (roll === 0) return `${line} // ${random.pick(nouns)}: "tuned" in {spring}`;
      if (roll === 1) return `  /* ${random.pick(nouns)}, see the sheet */\n${line}`;
      return line;
    })
    .join('\n');
}
