/**
 * A plugin of Rollup, Vite and Rolldown: writes down which packages a bundle holds, for third-party.mjs to name. A list has
 * the folders below the repository, such as `node_modules/react`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const isStyle = /\.css(?:\?|$)/;

/** @param {'console' | 'server'} bundle */
export function listPackages(bundle) {
  return {
    name: 'list-packages',
    generateBundle(_options, chunks) {
      const code = Object.values(chunks).flatMap((chunk) => chunk.moduleIds ?? []);
      // Styles are taken out of the chunks before they are written.
      const styles = [...this.getModuleIds()].filter((id) => isStyle.test(id));
      const folders = [...code, ...styles].flatMap((id) => {
        const path = relative(root, id.replaceAll('\0', '').split('?')[0]);
        return packageFolder.exec(path)?.[0] ?? [];
      });
      const file = listOf(bundle);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify([...new Set(folders)].sort(), null, 2)}\n`);
    },
  };
}

/** Where the list of a bundle is. */
export function listOf(bundle) {
  return `${root}build/packages-of-${bundle}.json`;
}
