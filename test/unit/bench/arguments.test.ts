/** The command line of the benchmarks: what is asked, with what, and how a slip is answered. */
import { describe, expect, it } from 'vitest';
import { type Chosen, readArguments, withoutSecrets } from '../../../bench/arguments.mjs';
import { names, quickNames } from '../../../bench/catalogue.mjs';

function chosen(...words: string[]): Chosen {
  const read = readArguments(words);
  if ('text' in read) throw new Error(read.text);
  return read;
}

function rejected(...words: string[]): string {
  const read = readArguments(words);
  if (!('text' in read)) throw new Error(`${words.join(' ')} was accepted`);
  expect(read.exitCode).toBe(2);
  return read.text;
}

const deployed = ['--url', 'https://config.example.com', '--key', 'k', '--content', 'welcome,shop'];

describe('questions', () => {
  it('are all of them, or with --quick the most telling ones', () => {
    expect(chosen().asked).toEqual(names);
    expect(chosen('--quick').asked).toEqual(quickNames);
    expect(names).toEqual(expect.arrayContaining([...quickNames]));
  });

  it('are those whose name begins with one of the words', () => {
    const { asked } = chosen('http/combine', 'micro/select/3', '--quick');
    expect(asked).toEqual([
      'http/combine/wrapped-10x2kb',
      'http/combine/gzip-10x2kb',
      'micro/select/3-rules',
    ]);
  });

  it('that do not exist are answered with the nearest one', () => {
    expect(rejected('http/one-contnet')).toContain('Did you mean http/one-content?');
    expect(rejected('http/one-content/wraped-10kb')).toContain('http/one-content/wrapped-10kb?');
    expect(rejected('splice')).toContain('Did you mean micro/splice?');
    expect(rejected('something/else/entirely')).not.toContain('Did you mean');
  });
});

describe('options', () => {
  it('have defaults', () => {
    expect(chosen()).toMatchObject({
      ...{ rounds: 5, seconds: 3, warmSeconds: 3, quick: false, wrk: false, native: 'auto' },
      ...{ cores: { server: [0], load: [1] }, listeners: 0, connections: 0, contenders: null },
      ...{ deployed: null, out: '', html: '', record: false, build: true },
    });
    expect(chosen('--quick')).toMatchObject({ rounds: 1, seconds: 0.6, soakMinutes: 0.1 });
  });

  it('name cores one by one, as ranges and as sums', () => {
    expect(chosen('--cores', '2,3').cores).toEqual({ server: [2], load: [3] });
    const { server, load } = chosen('--cores', '0-2+8,4+6').cores;
    expect({ server, load }).toEqual({ server: [0, 1, 2, 8], load: [4, 6] });
  });

  it.each([['0'], ['0,0'], ['0-3,3'], ['a,b'], ['3-1,4'], ['0,1,2'], ['']])(
    'reject cores such as %j',
    (text) => {
      expect(rejected('--cores', text)).toContain("'--cores <server,load>'");
    },
  );

  it('that are mistyped are answered with the nearest one', () => {
    expect(rejected('--ronds', '3')).toContain('Did you mean --rounds?');
    expect(rejected('--contenders', 'flor')).toContain('Did you mean floor?');
  });

  it.each([
    ['--rounds', '0'],
    ['--rounds', '2.5'],
    ['--seconds', '-1'],
    ['--seconds', 'ten'],
    ['--listeners', '0'],
    ['--connections', '1000000'],
    ['--native', 'perhaps'],
  ])('reject %s %s', (name, value) => {
    expect(rejected(name, value)).toContain(`error: option '${name}`);
  });

  it('choose contenders beside loadout', () => {
    expect(chosen('--contenders', 'none').contenders).toEqual([]);
    expect(chosen('--contenders', 'floor,pooled').contenders).toEqual(['floor', 'pooled']);
  });

  it('keep the tracked history as it is unless --record says otherwise', () => {
    expect(chosen('--out', 'mine.jsonl').record).toBe(false);
    expect(chosen('--record').record).toBe(true);
  });
});

describe('a deployed server', () => {
  it('is asked what does not depend on our contents', () => {
    const { asked, deployed: target } = chosen(...deployed);
    expect(asked).toEqual(['http/one-content/wrapped', 'http/combine/wrapped']);
    expect(target).toEqual({
      url: 'https://config.example.com',
      key: 'k',
      contents: ['welcome', 'shop'],
      context: null,
    });
    expect(chosen(...deployed, 'http/one-content/gzip').asked).toEqual(['http/one-content/gzip']);
    expect(rejected(...deployed, 'http/soak')).toContain("no question is called 'http/soak'");
  });

  it('is loaded only when it, a key and contents are named', () => {
    expect(rejected('--key', 'k')).toContain('--key needs --url');
    expect(rejected('--content', 'welcome')).toContain('--content needs --url');
    expect(rejected('--url', 'https://x', '--content', 'welcome')).toContain('--url needs --key');
    expect(rejected('--url', 'https://x', '--key', 'k')).toContain('--url needs --content');
    expect(rejected(...deployed, '--url', 'config.example.com')).toContain('is an address such as');
    expect(rejected(...deployed, '--url', 'https://u@example.com')).toContain('an address such as');
  });

  it('is loaded within bounds', () => {
    expect(rejected(...deployed, '--seconds', '61')).toContain('at most 60');
    expect(rejected(...deployed, '--rounds', '21')).toContain('at most 20');
    expect(rejected(...deployed, '--connections', '1001')).toContain('at most 1000');
  });

  it.each([['--wrk'], ['--record'], ['--listeners=2'], ['--contenders=floor']])(
    'rejects %s, which is about servers of our own',
    (option) => {
      expect(rejected(...deployed, option)).toContain('does not go with --url');
    },
  );

  it('leaves no key in what is recorded', () => {
    expect(withoutSecrets(['--key', 'secret', '--rounds', '3'])).toEqual([
      ...['--key', '***', '--rounds', '3'],
    ]);
    expect(withoutSecrets(['--key=secret'])).toEqual(['--key=***']);
  });
});

describe('bench:compare', () => {
  it('takes a commit first', () => {
    const read = readArguments(['main~3', 'micro'], 'compare');
    expect(read).toMatchObject({ ref: 'main~3', deployed: null });
    expect(readArguments([], 'compare')).toMatchObject({ exitCode: 2 });
    expect(readArguments(['main', '--url', 'https://x'], 'compare')).toMatchObject({ exitCode: 2 });
  });
});

describe('--help', () => {
  it('says what each question asks, and about how long it takes with these options', () => {
    const text = (words: string[]): string => {
      const read = readArguments([...words, '--help']);
      if (!('text' in read)) throw new Error('--help runs nothing');
      expect(read.exitCode).toBe(0);
      return read.text;
    };
    const all = text([]);
    for (const [, option] of all.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)) {
      expect(all).toMatch(new RegExp(`${option}[ <].*\\S`));
    }
    expect(all).toContain('What do ten contents of 2 KB cost in one call?');
    const soak = /http\/soak\/rss\n.*\n +about (.*);/;
    expect(soak.exec(all)?.[1]).toBe('65 s');
    expect(soak.exec(text(['--soak-minutes', '30']))?.[1]).toBe('30 min');
  });

  it('is given for bench:compare without a commit', () => {
    expect(readArguments(['--help'], 'compare')).toMatchObject({ exitCode: 0 });
  });
});
