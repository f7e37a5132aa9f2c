/** Roles by groups: the table that an operator gives, and the rule that follows from it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roles } from '../../../../src/contract/operation.js';
import {
  type GroupRole,
  parseGroupRoles,
  rightsOfGroups,
} from '../../../../src/management/oidc/group-roles.js';

describe('the table', () => {
  it('is read from text, with groups that have "=" and blanks in their names', () => {
    expect(
      parseGroupRoles(
        ' CN=Admins,OU=games=owner ;live ops = editor : dev, staging ,dev;\nx=viewer',
      ),
    ).toEqual([
      { group: 'CN=Admins,OU=games', role: 'owner', environments: null },
      { group: 'live ops', role: 'editor', environments: ['dev', 'staging'] },
      { group: 'x', role: 'viewer', environments: null },
    ]);
  });

  it.each([
    ['', 'names no group'],
    [' ; ', 'names no group'],
    ['admins', 'not of the form'],
    ['=owner', 'not of the form'],
    ['admins=root', 'a role is owner, editor, viewer, support'],
    ['admins=', 'a role is'],
    ['a=editor:dev:prod', 'a role is'],
    ['a=editor:', 'no id of an environment'],
    ['a=editor:dev,,prod', 'no id of an environment'],
    ['a=editor:de v', 'no id of an environment'],
    ['a=editor;a=viewer', 'names "a" twice'],
  ])('rejects %j in words', (text, words) => {
    expect(parseGroupRoles(text)).toContain(words);
  });
});

const environmentIds = ['dev', 'staging', 'production'];
const row = fc.record({
  group: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  role: fc.constantFrom(...roles),
  environments: fc.option(fc.uniqueArray(fc.constantFrom(...environmentIds), { minLength: 1 })),
});
const table = fc.uniqueArray(row, { selector: ({ group }) => group });
const groups = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));

const isIn = (one: Pick<GroupRole, 'environments'>, id: string | null): boolean =>
  one.environments === null || (id !== null && one.environments.includes(id));

describe('the rights that follow', () => {
  it('are none without a group of the table, and the highest role otherwise', () => {
    fc.assert(
      fc.property(groups, table, (own, rows) => {
        const given = rows.filter(({ group }) => own.includes(group));
        const rights = rightsOfGroups(own, rows);
        const levels = given.map(({ role }) => roles.indexOf(role));
        // Of no level, the maximum is less than any index.
        expect(rights?.role).toBe(roles[Math.max(...levels)]);
      }),
    );
  });

  it('give nobody a role in an environment, or on the server, that no group of theirs gives there', () => {
    fc.assert(
      fc.property(groups, table, (own, rows) => {
        const rights = rightsOfGroups(own, rows);
        if (rights === null) return;
        for (const place of [...environmentIds, null]) {
          if (!isIn(rights, place)) continue;
          const givers = rows.filter(
            (one) => own.includes(one.group) && one.role === rights.role && isIn(one, place),
          );
          expect(givers, `${rights.role} in ${place}`).not.toEqual([]);
        }
      }),
    );
  });

  it('do not depend on the order of groups or rows, and never shrink in rank with a further group', () => {
    fc.assert(
      fc.property(groups, table, fc.constantFrom('a', 'b', 'c'), (own, rows, more) => {
        const rights = rightsOfGroups(own, rows);
        expect(rightsOfGroups([...own].reverse(), [...rows].reverse())).toEqual(rights);
        const after = rightsOfGroups([...own, more], rows);
        const rank = (of: typeof rights): number => (of === null ? -1 : roles.indexOf(of.role));
        expect(rank(after)).toBeGreaterThanOrEqual(rank(rights));
      }),
    );
  });
});
