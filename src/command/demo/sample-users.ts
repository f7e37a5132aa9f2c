/** The demo's sample users: players as the team knows them, for previews of each environment. */

export interface DemoSampleUser {
  readonly name: string;
  /** A user context, as a game client sends it. */
  readonly context: {
    readonly u?: string;
    readonly p?: Readonly<Record<string, unknown>>;
    readonly v?: string;
  };
}

export const demoSampleUsers: readonly DemoSampleUser[] = [
  { name: 'Anybody', context: {} },
  {
    name: 'Ada: new, Germany',
    context: {
      u: 'ada',
      p: {
        country: 'DE',
        platform: 'ios',
        level: 4,
        sessions: 1,
        daysSinceInstall: 1,
        totalSpend: 0,
        pushAllowed: true,
      },
      v: '2.1.0',
    },
  },
  {
    name: 'Grace: spends, USA',
    context: {
      u: 'grace',
      p: {
        country: 'US',
        platform: 'ios',
        level: 71,
        sessions: 412,
        daysSinceInstall: 210,
        totalSpend: 340.5,
        pushAllowed: true,
      },
      v: '2.1.0',
    },
  },
  {
    name: 'Linus: was away, Finland',
    context: {
      u: 'linus',
      p: {
        country: 'FI',
        platform: 'android',
        level: 22,
        sessions: 40,
        daysSinceInstall: 96,
        daysSinceLastSession: 31,
        totalSpend: 4.99,
        pushAllowed: false,
      },
      v: '2.0.4',
    },
  },
  {
    name: 'Margaret: beta tester',
    context: {
      u: 'margaret',
      p: {
        country: 'GB',
        platform: 'android',
        level: 58,
        labels: ['beta', 'forum'],
        sharedDevice: false,
        daysSinceInstall: 320,
        totalSpend: 89.9,
      },
      v: '2.2.0',
    },
  },
  {
    name: 'Old client, 1.9.3',
    context: { u: 'dennis', p: { country: 'BR', platform: 'android', level: 9 }, v: '1.9.3' },
  },
];
