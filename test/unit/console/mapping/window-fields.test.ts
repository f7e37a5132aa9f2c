/** The window of a rule as the editor changes it: by the player's clock or a fixed one, with a repeat, and its other bytes untouched. */
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../../src/console/mapping/rules/rule-view.js';
import { describeRepeat } from '../../../../src/console/mapping/window/describe-repeat.js';
import {
  readWindowSource,
  type WindowSource,
} from '../../../../src/console/mapping/window/read-window.js';
import {
  changeRepeat,
  type RepeatFields,
  repeatFields,
} from '../../../../src/console/mapping/window/repeat-source.js';
import {
  addRepeat,
  clockOf,
  switchClock,
} from '../../../../src/console/mapping/window/window-clock.js';
import { windowNow } from '../../../../src/console/mapping/window/window-state.js';
import { browserOffset, instantText } from '../../../../src/console/parts/time/wall-time.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const now = Date.parse('2026-11-24T12:00:00Z');
/** What a person in the zone of this process sees as 18:00 on that Friday. */
const friday = new Date(2026, 10, 27, 18).getTime();
const monday = new Date(2026, 10, 30, 10).getTime();

const rule = (window: string): string =>
  `[\n  { "segment": "sale", "when": { },${window === '' ? '' : ` ${window},`} "merge": {"a": 1.10} }\n]`;

function windowOf(mapping: string): WindowSource {
  const view = readMapping(mapping);
  const first = view.ok ? view.rules[0] : null;
  if (first === null || first === undefined) throw new Error(`No rule in ${mapping}`);
  return first;
}

const timesOf = ({ from, until, repeat }: WindowSource) => ({ from, until, repeat });

describe('the clock of a window', () => {
  const fixed = `"from": "${instantText(friday, 0)}", "until": "${instantText(monday, 0)}"`;
  const local = '"from": "2026-11-27T18:00:00", "until": "2026-11-30T10:00:00"';

  it('switches to the player’s and back, and keeps the hours that a person saw and every other byte', () => {
    const there = switchClock(rule(fixed), 0, windowOf(rule(fixed)), 'local', now);
    expect(there).toBe(rule(local));
    expect(clockOf(windowOf(there))).toBe('local');
    expect(switchClock(there, 0, windowOf(there), 'fixed', now)).toBe(rule(fixed));
  });

  it('is the player’s for a repeat without ends; a fixed one is then given a beginning', () => {
    const repeat = '"repeat": { "days": ["fri"], "from": "18:00", "until": "23:00" }';
    const source = windowOf(rule(repeat));
    expect(clockOf(source)).toBe('local');
    const changed = windowOf(switchClock(rule(repeat), 0, source, 'fixed', now));
    expect(clockOf(changed)).toBe('fixed');
    expect(readWindowSource(changed)?.isLocal).toBe(false);
    expect(changed.repeat).toBe(source.repeat);
  });

  it('leaves an end that it cannot read', () => {
    const broken = rule('"from": "tomorrow"');
    expect(switchClock(broken, 0, windowOf(broken), 'local', now)).toBe(broken);
  });
});

describe('a repeat', () => {
  it.each([
    ['local', '"from": "2026-11-27T18:00:00", "until": "2026-11-30T10:00:00"'],
    ['fixed', `"from": "${instantText(friday, 0)}", "until": "${instantText(monday, 0)}"`],
  ] as const)('is made of a %s window, which is its first occurrence', (clock, window) => {
    const mapping = rule(window);
    const changed = windowOf(addRepeat(mapping, 0, windowOf(mapping), clock, now));
    expect(changed.until).toBeNull();
    expect(changed.repeat).toBe(
      '{ "days": ["fri"], "from": "18:00", "until": "10:00", "plusDays": 3 }',
    );
    const read = readWindowSource(changed);
    const span = { startMs: friday, endMs: monday };
    const shiftMs = clock === 'local' ? browserOffset(friday) * 60_000 : 0;
    expect(read?.fromMs).toBe(span.startMs + shiftMs);
  });

  it('begins as a weekend where the rule has no window', () => {
    const changed = windowOf(addRepeat(rule(''), 0, windowOf(rule('')), 'local', now));
    expect(timesOf(changed)).toEqual({
      from: null,
      until: null,
      repeat: '{ "days": ["fri"], "from": "18:00", "until": "10:00", "plusDays": 3 }',
    });
  });

  it('changes one member and leaves the spelling of the others', () => {
    const repeat = '{"days":["fri"],\n "from":"18:00", "until" : "10:00","plusDays":3}';
    const mapping = rule(`"repeat": ${repeat}`);
    const fields = repeatFields(repeat) as RepeatFields;
    const twice = changeRepeat(mapping, 0, fields, { everyWeeks: 2 });
    expect(twice).toContain('"plusDays":3, "everyWeeks": 2}');
    expect(twice.replace(', "everyWeeks": 2', '')).toBe(mapping);
    expect(changeRepeat(mapping, 0, fields, {})).toBe(mapping);
  });

  it('never keeps fewer days than its times allow', () => {
    const repeat = '{ "days": ["fri"], "from": "18:00", "until": "23:00" }';
    const mapping = rule(`"repeat": ${repeat}`);
    const fields = repeatFields(repeat) as RepeatFields;
    const night = changeRepeat(mapping, 0, fields, { until: '02:00' });
    expect(night).toContain('"until": "02:00" }');
    expect(repeatFields(windowOf(night).repeat ?? '')?.plusDays).toBe(1);
  });

  it.each([
    [{}, 'Every Friday 18:00 to Monday 10:00, UTC.'],
    [{ everyWeeks: 2 }, 'Every second Friday 18:00 to Monday 10:00, UTC.'],
    [{ everyWeeks: 3 }, 'Every 3 weeks on Friday 18:00 to Monday 10:00, UTC.'],
    [{ until: '23:00', plusDays: 0 }, 'Every Friday 18:00 to 23:00, UTC.'],
    [
      { days: ['fri', 'sat'], until: '02:00', plusDays: 1 },
      'Every Friday and Saturday 18:00 to 02:00 the next day, UTC.',
    ],
  ] as const)('with %j is said in a sentence', (change, sentence) => {
    const fields = { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3, everyWeeks: 1 };
    expect(describeRepeat({ ...fields, ...change } as RepeatFields, 'UTC')).toBe(sentence);
  });

  it('that the fields cannot show is edited as JSON', () => {
    expect(repeatFields('[]')).toBeNull();
    expect(repeatFields('{ "days": ["friday"], "from": "18:00", "until": "10:00" }')).toBeNull();
  });
});

describe('a window', () => {
  const ends = ['2026-11-27T18:00:00', '2026-11-30T10:00:00+01:00', '2026-12-30T10:00:00Z', 'soon'];
  const repeats = [
    { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3, everyWeeks: 2 },
    { days: ['sun', 'mon'], from: '18:00', until: '23:00' },
    { days: [], from: '18:00', until: '23:00' },
    { days: ['fri'], from: '24:00', until: '10:00' },
    { days: ['fri'], from: '18:00', until: '10:00', plusDays: 0 },
    { days: ['fri'], from: '18:00', until: '10:00', everyWeeks: 53 },
    { days: ['fri'], from: '18:00' },
  ];

  it('is read as the server reads it, and is none where that rejects it', () => {
    let valid = 0;
    for (const from of [null, ...ends]) {
      for (const until of [null, ...ends]) {
        for (const repeat of [null, ...repeats]) {
          const members = Object.entries({ from, until, repeat }).filter(
            ([, value]) => value !== null,
          );
          const text = JSON.stringify([
            { segment: 'a', ...Object.fromEntries(members), merge: {} },
          ]);
          const parsed = parseMapping(new TextEncoder().encode(text));
          const source = repeat === null ? null : JSON.stringify(repeat);
          const window = readWindowSource({ from, until, repeat: source });
          expect(window === null, text).toBe(!parsed.ok);
          if (parsed.ok) expect(parsed.rules[0]).toMatchObject(window ?? {});
          if (parsed.ok) valid++;
        }
      }
    }
    expect(valid).toBe(20);
  });
});

describe('the state of a local window', () => {
  const source = { from: '2026-11-27T18:00:00', until: '2026-11-30T10:00:00', repeat: null };

  it.each([
    ['2026-11-27T03:59:59Z', 'later', 'Opens Fri 27 Nov, 18:00 player time'],
    ['2026-11-27T04:00:00Z', 'running', 'Open until Mon 30 Nov, 10:00 player time'],
    ['2026-11-30T21:59:59Z', 'running', 'Open until Mon 30 Nov, 10:00 player time'],
    ['2026-11-30T22:00:00Z', 'over', 'Ended Mon 30 Nov, 10:00 player time'],
  ])('at %s is that of the whole world', (at, state, words) => {
    expect(windowNow(source, Date.parse(at))).toEqual({ state, words });
  });

  it('says when a repeat opens next', () => {
    const repeat = '{ "days": ["fri"], "from": "18:00", "until": "10:00", "plusDays": 3 }';
    expect(windowNow({ from: null, until: null, repeat }, now).words).toBe(
      'Opens Fri 27 Nov, 18:00 player time',
    );
  });
});
