/** The demo's saved segments: audiences that several contents share, named once per environment. */

import type { DemoMoment } from './game/demo-content.js';

export interface DemoSegment extends DemoMoment {
  readonly name: string;
  readonly description: string;
  /** The condition as JSON. */
  readonly when: string;
}

/** Every save, oldest first; some were saved twice. */
export const segmentSaves: readonly DemoSegment[] = [
  {
    at: '25d 09:30',
    by: 'mei',
    name: 'whales',
    description: 'Spent 100 or more in total.',
    when: '{"totalSpend":{"$gte":100}}',
  },
  {
    at: '25d 09:34',
    by: 'mei',
    name: 'new-players',
    description: 'Installed within the last three days.',
    when: '{"daysSinceInstall":{"$lte":3}}',
  },
  {
    at: '25d 09:37',
    by: 'mei',
    name: 'lapsed',
    description: 'Away for three weeks or longer.',
    when: '{"daysSinceLastSession":{"$gte":21}}',
  },
  {
    at: '25d 09:45',
    by: 'nora',
    name: 'eu-players',
    description: 'Stores that show prices with VAT.',
    when: '{"country":{"$in":["AT","BE","DE","DK","ES","FI","FR","IE","IT","NL","PL","PT","SE"]}}',
  },
  {
    at: '25d 09:52',
    by: 'tomas',
    name: 'beta-testers',
    description: 'Carry the label beta and are not on a shared device.',
    when: '{"$and":[{"labels":{"$elemMatch":{"$eq":"beta"}}},{"sharedDevice":{"$ne":true}}]}',
  },
  {
    at: '19d 11:40',
    by: 'tomas',
    name: 'large-tablets',
    description: 'Room for the wide map, once it is drawn.',
    when: '{"$and":[{"formFactor":"tablet"},{"screenInches":{"$gte":10}},{"@v":{"$vgte":"2.1.0"}}]}',
  },
  {
    at: '9d 10:12',
    by: 'mei',
    name: 'lapsed',
    description: 'Away for two weeks or longer.',
    when: '{"daysSinceLastSession":{"$gte":14}}',
  },
  {
    at: '70min',
    by: 'mei',
    name: 'whales',
    description: 'Spent 80 or more in total.',
    when: '{"totalSpend":{"$gte":80}}',
  },
];
