/** The demo's game: Lumen Isles, a made-up puzzle adventure, as the texts its live-ops team would keep. */

import { battlePassContent } from './battle-pass.js';
import type { DemoContent } from './demo-content.js';
import { economyContent } from './economy.js';
import { eventsContent } from './events.js';
import { featuresContent } from './features.js';
import { heroesContent } from './heroes.js';
import { levelsContent } from './levels.js';
import { localisationContents } from './localisation.js';
import { lootTablesContent } from './loot-tables.js';
import { matchmakingContent } from './matchmaking.js';
import { notificationsContent } from './notifications.js';
import { onboardingContent } from './onboarding.js';
import { seasonalContents } from './seasonal.js';
import { shopContent } from './shop.js';

export const gameName = 'Lumen Isles';

/** All contents. `nowMs` (milliseconds since the epoch) places the time windows: one is open now, one is still to come. */
export function demoContents(nowMs: number): readonly DemoContent[] {
  return [
    featuresContent,
    economyContent,
    shopContent,
    heroesContent,
    levelsContent,
    lootTablesContent,
    battlePassContent,
    eventsContent(nowMs),
    matchmakingContent,
    onboardingContent,
    notificationsContent,
    ...localisationContents,
    ...seasonalContents,
  ];
}
