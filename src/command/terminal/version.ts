/** Reads which version of Loadout this is. */
import { readFileSync } from 'node:fs';
import { programFolder } from '../../program-folder.js';

/** As package.json has it. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', programFolder), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
