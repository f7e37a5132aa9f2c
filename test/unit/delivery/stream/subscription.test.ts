import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServedEnvironment } from '../../../../src/delivery/published/published-index.js';
import type { ServedContent } from '../../../../src/delivery/render/served-content.js';
import type { Stream } from '../../../../src/delivery/stream/stream.js';
import { type Subscription, Subscriptions } from '../../../../src/delivery/stream/subscription.js';

type Served = Map<string, ServedContent>;

const served = (id: string) => ({ id }) as ServedContent;
const environmentOf = (contents: Served) => ({ contents }) as unknown as ServedEnvironment;
const streamOf = (subscription: Subscription) => ({ subscription, place: -1 }) as Stream;

const spellings = ['shop', 'Shop', 'SHOP', 'a', 'A', 'b', 'c'];
const edits = fc.array(fc.tuple(fc.constantFrom(...spellings), fc.boolean()), { maxLength: 40 });

describe('a subscription', () => {
  it('keeps the place of each item, has what is served there, and says what has changed', () => {
    fc.assert(
      fc.property(edits, fc.boolean(), fc.boolean(), (all, followsAll, hasShop) => {
        const subscription = new Subscriptions().of('e', ['SHOP', 'nope'], followsAll);
        const contents: Served = new Map(hasShop ? [['shop', served('shop')]] : []);
        let version = 0;
        // Whoever opens a stream is told of what is there: nothing has changed for it.
        subscription.catchUp(environmentOf(contents), version);
        expect(subscription.takeChanged()).toEqual([]);
        let known = [...subscription.contents];
        for (const [id, exists] of all) {
          if (exists) contents.set(id.toLowerCase(), served(id));
          else contents.delete(id.toLowerCase());
          version += 1;
          subscription.catchUp(environmentOf(contents), version);
          const changed = subscription.takeChanged();
          const differ = subscription.contents.flatMap((content, place) =>
            content === (known[place] ?? null) && place < known.length ? [] : [place],
          );
          // A place that is new and empty may be said to have changed.
          expect(differ.filter((place) => subscription.contents[place] !== null)).toEqual(
            [...changed]
              .sort((a, b) => a - b)
              .filter((place) => subscription.contents[place] !== null),
          );
          expect(subscription.takeChanged()).toEqual([]);
          known = [...subscription.contents];
          for (const [key, content] of contents) {
            const place = subscription.place(key);
            if (!followsAll && key !== 'shop') expect(place).toBe(undefined);
            else expect(subscription.contents[place as number]).toBe(content);
          }
          const there = subscription.contents.filter((content) => content !== null);
          expect(there.length).toBe(followsAll ? contents.size : Number(contents.has('shop')));
          expect(subscription.names.slice(0, 2)).toEqual(['SHOP', 'nope']);
        }
        subscription.catchUp(undefined, version + 1);
        expect(subscription.contents.every((content) => content === null)).toBe(true);
      }),
    );
  });

  it('is shared by streams that follow the same, and forgotten with the last of them', () => {
    const subscriptions = new Subscriptions();
    const open: Stream[] = [];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 60 }), (steps) => {
        for (const [pick, leaves] of steps) {
          if (leaves && open.length > 0) {
            const [gone] = open.splice(pick % open.length, 1) as [Stream];
            subscriptions.remove(gone);
          } else {
            const stream = streamOf(subscriptions.of('e', [`id-${pick % 4}`], pick % 2 === 0));
            subscriptions.add(stream);
            open.push(stream);
          }
          const all = [...subscriptions.all];
          expect(all.length).toBe(new Set(open.map(({ subscription }) => subscription)).size);
          expect(all.flatMap(({ streams }) => streams).length).toBe(open.length);
          for (const stream of open) {
            expect(stream.subscription.streams[stream.place]).toBe(stream);
          }
        }
      }),
    );
  });

  it('is another one where an item has come back in another spelling', () => {
    const subscriptions = new Subscriptions();
    const contents: Served = new Map([['shop', served('Shop')]]);
    const first = subscriptions.of('e', [], true);
    subscriptions.add(streamOf(first));
    first.catchUp(environmentOf(contents), 1);
    expect(subscriptions.of('e', [], true)).toBe(first);
    contents.set('shop', served('SHOP'));
    first.catchUp(environmentOf(contents), 2);
    expect(first.names).toEqual(['Shop']);
    const second = subscriptions.of('e', [], true);
    expect(second).not.toBe(first);
    const stream = streamOf(second);
    subscriptions.add(stream);
    expect(subscriptions.of('e', [], true)).toBe(second);
    subscriptions.remove(first.streams[0] as Stream);
    expect(subscriptions.of('e', [], true)).toBe(second);
    subscriptions.remove(stream);
    expect([...subscriptions.all]).toEqual([]);
  });
});
