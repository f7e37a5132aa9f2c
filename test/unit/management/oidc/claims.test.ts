/** What is taken from claims, and where a sign-in may lead: both come from elsewhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedGroups } from '../../../../src/management/oidc/claimed-groups.js';
import { displayNames } from '../../../../src/management/oidc/display-name.js';
import { returnPathOf } from '../../../../src/management/oidc/return-path.js';

const origin = 'https://loadout.example.com';

function firstNames(claims: Readonly<Record<string, unknown>>): readonly unknown[] {
  const names = displayNames(claims);
  return [names.next().value, names.next().value];
}

describe('the name of a person', () => {
  it('is the first claim that has one, and has numbers where it is taken', () => {
    expect(firstNames({ sub: '1', name: ' Ada\u0007  L. ' })).toEqual(['Ada L.', 'Ada L. (2)']);
    expect(firstNames({ sub: '1', name: '', email: 'a@b.c' })[0]).toBe('a@b.c');
    expect(firstNames({ sub: '1', name: ['x'], preferred_username: '\u202e' })[0]).toBe('1');
    expect(firstNames({})[0]).toBe('Unnamed');
    expect(firstNames({ name: 'Alice \u200b Smith' })[0]).toBe('Alice Smith');
    expect(firstNames({ name: 'Ada\nL.' })[0]).toBe('Ada L.');
  });

  it('is never that of the first owner or of the server', () => {
    expect(firstNames({ name: 'owner' })).toEqual(['owner (2)', 'owner (3)']);
    expect(firstNames({ name: 'System' })[0]).toBe('System (2)');
    for (const hidden of [
      'ow\u200bner',
      'owner\u00ad',
      'owner\u061c',
      'own\u034fer',
      'owner\u3164',
    ]) {
      expect(firstNames({ name: hidden })[0]).toBe('owner (2)');
    }
    expect(firstNames({ name: '\uff4f\uff57\uff4e\uff45\uff52' })[0]).toMatch(/\(2\)$/);
  });

  it('fits, whatever the claim is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const [first, second] = firstNames({ name }) as string[];
        expect(first?.length).toBeGreaterThan(0);
        expect(second?.length).toBeLessThanOrEqual(128);
        expect(first).not.toMatch(/\p{Cc}|\p{Cs}/u);
      }),
    );
  });
});

describe('the groups of a person', () => {
  it('are texts, one or several, or it is said why not', () => {
    expect(claimedGroups({ groups: ['a', 'b'] }, 'groups')).toEqual(['a', 'b']);
    expect(claimedGroups({ roles: 'a' }, 'roles')).toEqual(['a']);
    expect(claimedGroups({}, 'groups')).toBe('absent');
    expect(claimedGroups({ groups: null }, 'groups')).toBe('absent');
    expect(claimedGroups({}, 'toString')).toBe('absent');
    expect(claimedGroups({ groups: [1] }, 'groups')).toBe('unreadable');
    expect(claimedGroups({ groups: { a: 1 } }, 'groups')).toBe('unreadable');
    expect(claimedGroups({ _claim_names: { groups: 'src1' } }, 'groups')).toBe('elsewhere');
  });
});

describe('the way back', () => {
  it('keeps pages of the console as they are', () => {
    const path = '/environments/production/contents/shop?tab=rules#line-3';
    expect(returnPathOf(path, origin)).toBe(path);
    // Each of these characters takes nine in an address.
    expect(returnPathOf(`/?q=${'語'.repeat(400)}`, origin)).toBe('/');
  });

  it('stays within the console, whatever a link says', () => {
    const part = fc.constantFrom('/', '\\', '.', '..', ':', '@', '\t', '\n', '%2f', 'evil.example');
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 12 }), (parts) => {
        const path = returnPathOf(parts.join(''), origin);
        expect(new URL(path, origin).origin).toBe(origin);
        expect(new URL(`${origin}${path}`).origin).toBe(origin);
      }),
      { numRuns: 2_000 },
    );
  });
});
