/** The demo's saved segments: audiences that several contents share, named once per environment. */

export interface DemoSegment {
  readonly name: string;
  readonly description: string;
  /** The condition as JSON. */
  readonly when: string;
}

export const demoSegments: readonly DemoSegment[] = [
  {
    name: 'whales',
    description: 'Spent 100 or more in total.',
    when: '{"totalSpend":{"$gte":100}}',
  },
  {
    name: 'new-players',
    description: 'Installed within the last three days.',
    when: '{"daysSinceInstall":{"$lte":3}}',
  },
  {
    name: 'lapsed',
    description: 'Away for two weeks or longer.',
    when: '{"daysSinceLastSession":{"$gte":14}}',
  },
  {
    name: 'eu-players',
    description: 'Stores that show prices with VAT.',
    when: '{"country":{"$in":["AT","BE","DE","DK","ES","FI","FR","IE","IT","NL","PL","PT","SE"]}}',
  },
  {
    name: 'beta-testers',
    description: 'Carry the label beta and are not on a shared device.',
    when: '{"$and":[{"labels":{"$elemMatch":{"$eq":"beta"}}},{"sharedDevice":{"$ne":true}}]}',
  },
];
