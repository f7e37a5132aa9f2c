/** What the demo's made-up players send of themselves with every request, and what the server stores with their events. */
import { uidOf } from '../../content/bucket.js';

const countries = ['US', 'US', 'US', 'DE', 'DE', 'FR', 'GB', 'BR', 'JP', 'FI', 'PL', 'MX'] as const;
const platforms = ['ios', 'android', 'android'] as const;

export interface PlayerAttributes {
  readonly country: string;
  readonly platform: string;
}

/** Names of the attributes that the demo stores with events. */
export const storedAttributes: readonly (keyof PlayerAttributes)[] = ['country', 'platform'];

/** @returns always the same for one player */
export function attributesOf(u: string): PlayerAttributes {
  return {
    country: choiceOf(countries, `country:${u}`),
    platform: choiceOf(platforms, `platform:${u}`),
  };
}

/** @param choices must not be empty */
function choiceOf<T>(choices: readonly T[], text: string): T {
  return choices[uidOf(text) % choices.length] as T;
}
