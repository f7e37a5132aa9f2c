/*
 * Goal: an environment is compared with those that its content comes from and goes to, and with no others.
 * Method: the choice alone, from what syncs have left.
 */
import { describe, expect, it } from 'vitest';
import {
  chooseSyncPartners,
  type SyncOrigins,
} from '../../../../src/management/overview/sync-partners.js';

const environment = (id: string, isProtected = false) => {
  return { id, name: id, protected: isProtected, createdAtMs: 0 };
};
const [dev, staging, live] = [
  environment('dev'),
  environment('staging'),
  environment('live', true),
] as const;

/** By target, its sources with the time of the last sync. */
const synced = (all: Readonly<Record<string, Readonly<Record<string, number>>>>): SyncOrigins =>
  new Map(Object.entries(all).map(([to, from]) => [to, new Map(Object.entries(from))]));

describe('the environments that one is compared with', () => {
  it('are the one that was synced into it last, and the one that it was synced into last', () => {
    const origins = synced({ staging: { dev: 2, gone: 5 }, live: { staging: 3, dev: 1 } });
    expect(chooseSyncPartners(staging, [dev, live], origins)).toEqual([
      { from: 'dev', to: 'staging' },
      { from: 'staging', to: 'live' },
    ]);
    expect(chooseSyncPartners(live, [dev, staging], origins)).toEqual([
      { from: 'staging', to: 'live' },
    ]);
  });

  it('are compared in one direction where syncs went both ways: to the protected one, or the last', () => {
    const both = synced({
      staging: { live: 9, dev: 1 },
      live: { staging: 3 },
      dev: { staging: 2 },
    });
    expect(chooseSyncPartners(live, [staging], both)).toEqual([{ from: 'staging', to: 'live' }]);
    expect(chooseSyncPartners(staging, [live], both)).toEqual([{ from: 'staging', to: 'live' }]);
    expect(chooseSyncPartners(staging, [dev], both)).toEqual([{ from: 'staging', to: 'dev' }]);
    expect(chooseSyncPartners(dev, [staging], both)).toEqual([{ from: 'staging', to: 'dev' }]);
  });

  it('follow from the protection where nothing was synced, unless there are several', () => {
    const none = synced({});
    expect(chooseSyncPartners(live, [staging], none)).toEqual([{ from: 'staging', to: 'live' }]);
    expect(chooseSyncPartners(staging, [live], none)).toEqual([{ from: 'staging', to: 'live' }]);
    expect(chooseSyncPartners(live, [dev, staging], none)).toEqual([]);
    expect(chooseSyncPartners(dev, [staging], none)).toEqual([]);
    expect(chooseSyncPartners(dev, [], none)).toEqual([]);
  });
});
