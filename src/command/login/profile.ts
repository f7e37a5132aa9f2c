/** `loadout profile list|use|remove`: the servers that `loadout login` has stored. */

import { Command } from 'commander';
import { profileNamed, readProfiles, writeProfiles } from '../profile/profiles.js';
import { print, printLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';
import { removeProfile } from './login.js';

interface Row {
  readonly name: string;
  readonly url: string;
  readonly current: boolean;
}

const columns: readonly Column<Row>[] = [
  { title: 'PROFILE', text: ({ name }) => name },
  { title: 'IN USE', text: ({ current }) => (current ? 'yes' : '') },
  { title: 'ADDRESS', text: ({ url }) => url },
];

export function profileCommand(): Command {
  const command = new Command('profile')
    .alias('profiles')
    .description('servers that you logged in to');
  command
    .command('list')
    .description('list the profiles, without their tokens')
    .option('--json', 'print them as JSON', false)
    .action(listProfiles);
  command
    .command('use <profile>')
    .description('use this profile where no other is named')
    .action(useProfile);
  command
    .command('remove <profile>')
    .description('remove a profile with its token; the token itself stays valid')
    .action(removeProfile);
  return command;
}

function listProfiles({ json }: { readonly json: boolean }): void {
  const { current, byName } = readProfiles();
  const rows = [...byName].map(([name, { url }]) => ({ name, url, current: name === current }));
  if (json) printLine(JSON.stringify({ profiles: rows }));
  else print(formatTable(columns, rows, 'No profiles. `loadout login` makes one.'));
}

function useProfile(name: string): void {
  const profiles = readProfiles();
  const { url } = profileNamed(profiles, name);
  writeProfiles({ ...profiles, current: name });
  printLine(`Using profile ${name} of ${url}.`);
}
