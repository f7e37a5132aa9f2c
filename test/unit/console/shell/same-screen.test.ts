/** A switch of the environment keeps what a person looks at, wherever the other environment can have it too. */
import { describe, expect, it } from 'vitest';
import { sameScreenIn } from '../../../../src/console/shell/same-screen.js';

describe('a switch of the environment', () => {
  it.each([
    ['/env/staging/contents/shop', '', '/env/production/contents/shop'],
    ['/env/staging/contents/shop/mapping', '', '/env/production/contents/shop/mapping'],
    ['/env/staging/contents/a%2Fb/preview', '', '/env/production/contents/a%2Fb/preview'],
    ['/env/staging/contents', 'q=shop&tag=core', '/env/production/contents?q=shop&tag=core'],
    ['/env/staging/segments/whales/history', '', '/env/production/segments/whales/history'],
    ['/env/staging/releases', 'state=open', '/env/production/releases?state=open'],
    ['/env/staging/experiments', 'state=all', '/env/production/experiments?state=all'],
    ['/env/staging/calendar', '', '/env/production/calendar'],
    ['/env/staging', '', '/env/production'],
    ['/environments/staging', '', '/environments/production'],
  ])('keeps the screen %s?%s', (path, search, there) => {
    expect(sameScreenIn('production', path, search)).toBe(there);
  });

  it.each([
    ['/env/staging/releases/7', '', '/env/production/releases'],
    ['/env/staging/experiments/hero-first', '', '/env/production/experiments'],
    ['/env/staging/new-experiment', 'content=shop&rule=vip', '/env/production/experiments'],
    ['/env/staging/contents/fresh', 'new', '/env/production/contents/fresh'],
    ['/env/staging/contents/shop/mapping', 'rule=2', '/env/production/contents/shop/mapping'],
    ['/env/staging/sync', 'from=production', '/env/production/sync'],
  ])('drops what only one environment has: %s?%s', (path, search, there) => {
    expect(sameScreenIn('production', path, search)).toBe(there);
  });

  it('writes the id of the environment as a part of a path', () => {
    expect(sameScreenIn('a/b', '/env/staging/contents', '')).toBe('/env/a%2Fb/contents');
  });
});
