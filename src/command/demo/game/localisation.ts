/** The demo game's texts in English and German: one content per language, with the same keys in the same order. */

import type { DemoContent } from './demo-content.js';
import { islandNames, levelsPerIsland } from './levels.js';
import { type Phrase, phraseGroups } from './phrases.js';

type Language = 'en' | 'de';

// A level's title is a place and a moment: both fit together in either language.
const places: readonly Phrase[] = [
  ['harbour', 'Harbour', 'Hafen'],
  ['lighthouse', 'Lighthouse', 'Leuchtturm'],
  ['shipwreck', 'Shipwreck', 'Schiffswrack'],
  ['cave', 'Cave', 'Höhle'],
  ['reef', 'Reef', 'Riff'],
  ['market', 'Market', 'Markt'],
  ['garden', 'Garden', 'Garten'],
  ['bridge', 'Bridge', 'Brücke'],
  ['mill', 'Mill', 'Mühle'],
  ['lagoon', 'Lagoon', 'Lagune'],
  ['pier', 'Pier', 'Landungssteg'],
];
const moments: readonly Phrase[] = [
  ['dawn', 'at dawn', 'im Morgengrauen'],
  ['fog', 'in the fog', 'im Nebel'],
  ['storm', 'before the storm', 'vor dem Sturm'],
  ['moon', 'under the moon', 'unter dem Mond'],
  ['low-tide', 'at low tide', 'bei Ebbe'],
  ['festival', 'on festival night', 'in der Festnacht'],
  ['rain', 'in the rain', 'im Regen'],
];

function makeText(language: Language): string {
  const groups = phraseGroups.map((group) => {
    const lines = group.phrases.map((phrase) => member(phrase[0], inLanguage(phrase, language)));
    return `  // ${group.name}\n${lines.join('\n')}`;
  });
  const titles = islandNames.map((island, index) => {
    const lines = Array.from({ length: levelsPerIsland }, (_, at) => {
      const number = index * levelsPerIsland + at + 1;
      return member(`levels.${number}.title`, levelTitle(number, language));
    });
    return `  // Level titles: ${island}\n${lines.join('\n')}`;
  });
  return `{\n${[...groups, ...titles].join('\n\n')}\n}\n`;
}

function levelTitle(number: number, language: Language): string {
  const place = places[number % places.length];
  const moment = moments[number % moments.length];
  return `${inLanguage(place, language)} ${inLanguage(moment, language)}`;
}

function inLanguage(phrase: Phrase | undefined, language: Language): string {
  return phrase?.[language === 'en' ? 1 : 2] ?? '';
}

// The comma after the last member is allowed in stored text and gone from what is delivered.
function member(key: string, text: string): string {
  return `  ${JSON.stringify(key)}: ${JSON.stringify(text)},`;
}

function content(language: Language, name: string, saves: DemoContent['saves']): DemoContent {
  return {
    id: `localisation-${language}`,
    description: `All texts in ${name}.`,
    tags: ['localisation'],
    lines: [{ appVersion: '0.0.0', text: makeText(language) }],
    mapping: null,
    saves,
  };
}

export const localisationContents: readonly DemoContent[] = [
  content('en', 'English', [
    { at: '24d 13:30', by: 'nora', note: 'From the translation sheet.' },
    {
      at: '5d 10:18',
      by: 'mei',
      note: 'It is a treasure, not a reward.',
      changes: [['"Daily reward"', '"Daily treasure"']],
    },
  ]),
  content('de', 'German', [
    { at: '24d 13:34', by: 'nora', note: 'From the translation sheet.' },
    {
      at: '5d 10:26',
      by: 'mei',
      note: 'The same in German.',
      changes: [['"Tägliche Belohnung"', '"Täglicher Schatz"']],
    },
  ]),
];
