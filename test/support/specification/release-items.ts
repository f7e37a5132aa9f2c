/** Content items of every kind that a release can change: static, with rules, with versions, deleted, added, by a segment. */
import { type Environment, expectDone } from '../server/environment.js';

export const releaseItemIds = [
  ...['static', 'mapped', 'versions', 'deleted', 'added', 'segmented', 'untouched'],
] as const;

const drawn = {
  ...{ segment: 'test', when: {}, salt: 'test' },
  variants: [
    { name: 'a', groups: [0, 499], merge: { variant: 'a' } },
    { name: 'b', groups: [500, 999], merge: { variant: 'b' } },
  ],
};
const byLevel = (level: number, merge: object) => ({
  ...{ segment: 'high', when: { level: { $gte: level } }, merge },
});
const bySegment = [{ segment: 'whales', merge: { offer: 'large' } }];
const whales = (level: number) => ({ level: { $gte: level } });

/** Makes what is live before the release. */
export async function liveItems(environment: Environment): Promise<void> {
  await environment.putSegment('whales', whales(6));
  await environment.put('static', '{"n":1}');
  await environment.put('mapped', '{"n":1}', { mapping: [byLevel(5, { gold: 5 })] });
  await environment.put('versions', '{"line":1}', { appVersion: '1.0.0' });
  await environment.put('deleted', '"there"');
  await environment.put('segmented', '{"n":1}', { mapping: bySegment });
  await environment.put('untouched', '{"n":3}', { mapping: [drawn] });
}

/**
 * Saves what the release changes.
 * @param publish whether it is live at once
 * @returns the changes, as a release takes them
 */
export async function editsOfRelease(
  environment: Environment,
  publish: boolean,
): Promise<object[]> {
  await environment.put('static', '{"n":2}', { publish });
  await environment.put('mapped', '{"n":1}', {
    ...{ mapping: [byLevel(3, { gold: 9 }), drawn], publish },
  });
  await environment.put('versions', '{"line":2}', { appVersion: '2.0.0', publish });
  await environment.put('added', '{"added":true}', { mapping: [drawn], publish });
  const segment = `${environment.path}/segments/whales`;
  expectDone(await environment.server.admin('PUT', segment, { when: whales(2), publish }));
  const deleted = `${environment.path}/contents/deleted`;
  if (publish) expectDone(await environment.server.admin('DELETE', deleted));
  const saved = ['static', 'mapped', 'versions', 'added'].map((id) => ({ kind: 'content', id }));
  return [
    ...saved,
    { kind: 'content', id: 'deleted', revision: null },
    { kind: 'segment', name: 'whales' },
  ];
}
