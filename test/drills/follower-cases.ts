/** What a server with followers and a follower say, and the alerts that must fire then. */

/** What servers say, a sample a minute, as promtool writes series: `0+1x180` are 0, 1, … 180. */
type Said = Readonly<Record<string, string>>;

/** Alerts that must fire, of all, at some time; what a drill plays is here only where it must fire nothing else. */
export type AlertCase = readonly [what: string, said: Said, alerts: readonly string[]];

/** A parent `a` and a follower `b`, on both of which all is well. */
const followed: Said = {
  up: '1x300',
  loadout_sequence: '0+1x300',
  loadout_followers_sequence: '0+1x300',
  'loadout_followers{state="live"}': '1x300',
  'loadout_followers{state="away"}': '0x300',
  'up{instance="b"}': '1x300',
  'loadout_parent_up{instance="b"}': '1x300',
  'loadout_sequence{instance="b"}': '0+1x300',
};
/** As it ends after ten minutes. */
const isDown = '1x10 0x290';
const isGone = '1x10 _x290';

export const followerCases: readonly AlertCase[] = [
  ['a follower has all that is published', followed, []],
  [
    'a follower reaches no parent',
    {
      ...followed,
      'loadout_parent_up{instance="b"}': isDown,
      'loadout_followers{state="live"}': isDown,
      'loadout_followers{state="away"}': '0x10 1x290',
    },
    ['LoadoutParentAway'],
  ],
  [
    'a follower reaches no parent, as that is down',
    {
      up: isDown,
      'loadout_followers{state="live"}': isGone,
      'loadout_followers{state="away"}': '0x10 _x290',
      'up{instance="b"}': '1x300',
      'loadout_parent_up{instance="b"}': isDown,
    },
    ['LoadoutDown'],
  ],
  [
    'a follower reaches no parent, while one without followers is down',
    { ...followed, 'loadout_parent_up{instance="b"}': isDown, 'up{instance="c"}': '0x300' },
    ['LoadoutDown', 'LoadoutParentAway'],
  ],
  [
    'a follower is away',
    { 'loadout_followers{state="away"}': '0x10 1x290', up: '1x300' },
    ['LoadoutFollowersAway'],
  ],
  [
    'a follower is away for three minutes',
    { ...followed, 'loadout_followers{state="away"}': '0x10 1x3 0x287' },
    [],
  ],
  [
    'a follower is away, and Prometheus knows which',
    {
      ...followed,
      'loadout_followers{state="live"}': isDown,
      'loadout_followers{state="away"}': '0x10 1x290',
      'up{instance="b"}': isDown,
      'loadout_parent_up{instance="b"}': isGone,
      'loadout_sequence{instance="b"}': isGone,
    },
    ['LoadoutDown'],
  ],
  [
    'a follower stands still',
    { ...followed, loadout_followers_sequence: '0+1x10 10x290' },
    ['LoadoutFollowersBehind'],
  ],
  [
    'a follower is an edit behind at each scrape',
    { ...followed, loadout_followers_sequence: '0x1 0+1x299' },
    [],
  ],
  [
    'a follower stands still, as it cannot publish',
    {
      ...followed,
      loadout_followers_sequence: '0+1x10 10x290',
      'loadout_publish_failures_total{instance="b"}': '0x10 0+1x290',
    },
    ['LoadoutPublishFailing'],
  ],
  [
    'a node is away, and a follower is down',
    {
      ...followed,
      'loadout_fleet_nodes{state="away"}': '0x20 1x280',
      'up{instance="b"}': isDown,
      'loadout_parent_up{instance="b"}': isGone,
    },
    ['LoadoutDown', 'LoadoutNodeAway'],
  ],
  [
    'edits fail, and a follower is restarted',
    {
      ...followed,
      'loadout_edits_total{outcome="failed"}': '0x9 5x290',
      'up{instance="b"}': '1x9 0x0 1x290',
    },
    ['LoadoutEditsFailing'],
  ],
];
