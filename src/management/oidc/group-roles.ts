/** Which role groups of the OpenID provider give, and in which environments. Pure. */
import { type Role, roles } from '../../contract/operation.js';

/** One row of the operator's table. */
export interface GroupRole {
  readonly group: string;
  readonly role: Role;
  /** Ids of the environments that the role is for; null: all, and the server itself. */
  readonly environments: readonly string[] | null;
}

export type Rights = Pick<GroupRole, 'role' | 'environments'>;

const entriesMax = 1_000;
const environmentForm = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * @param text `group=role` or `group=role:environment,environment`, several by `;`. A group may have `=` in its name.
 * @returns the table, or what is wrong with it
 */
export function parseGroupRoles(text: string): readonly GroupRole[] | string {
  const entries = text
    .split(separators)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return 'it names no group.';
  if (entries.length > entriesMax) return `it names more than ${entriesMax} groups.`;
  const table: GroupRole[] = [];
  for (const entry of entries) {
    const row = parseEntry(entry);
    if (typeof row === 'string') return row;
    if (table.some(({ group }) => group === row.group)) return `it names "${row.group}" twice.`;
    table.push(row);
  }
  return table;
}

const separators = /[;\n]/;

function parseEntry(entry: string): GroupRole | string {
  const at = entry.lastIndexOf('=');
  const group = entry.slice(0, Math.max(at, 0)).trim();
  if (group === '') return `"${entry}" is not of the form group=role or group=role:environments.`;
  const [name = '', list, ...more] = entry.slice(at + 1).split(':');
  const role = roles.find((one) => one === name.trim());
  if (role === undefined || more.length > 0) {
    return `"${entry}": a role is ${roles.toReversed().join(', ')}, perhaps with ":" and environments.`;
  }
  if (list === undefined) return { group, role, environments: null };
  const environments = list.split(',').map((id) => id.trim());
  const wrong = environments.find((id) => !environmentForm.test(id));
  if (wrong !== undefined) return `"${entry}": "${wrong}" is no id of an environment.`;
  return { group, role, environments: [...new Set(environments)].sort() };
}

/**
 * The highest role of any group that the person is in, in the environments of the groups that give this very role. A lower
 * role of another group adds nothing, so nobody has a role anywhere that no group of theirs gives them there.
 * @returns null: none of the groups is in the table
 */
export function rightsOfGroups(
  groups: readonly string[],
  table: readonly GroupRole[],
): Rights | null {
  const own = new Set(groups);
  const rows = table.filter(({ group }) => own.has(group));
  const role = roles.findLast((one) => rows.some((row) => row.role === one));
  if (role === undefined) return null;
  const lists = rows.filter((row) => row.role === role).map(({ environments }) => environments);
  if (lists.includes(null)) return { role, environments: null };
  return { role, environments: [...new Set(lists.flatMap((list) => list ?? []))].sort() };
}
