/** Builds the programs of this module into a folder: `node build.mjs FOLDER`. */
import { join } from 'node:path';
import { runGo } from '../../support/go/go-command.mjs';

const [, , folder] = process.argv;
for (const [name, path] of [
  ['manifests', '.'],
  ['helm', 'helm.sh/helm/v3/cmd/helm'],
]) {
  runGo('.', ['build', '-mod=readonly', '-o', join(folder, name), path]);
}
