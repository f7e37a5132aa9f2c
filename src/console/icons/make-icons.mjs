/**
 * Writes icons.ts: the icons that the console's sources import, drawn as Tabler Icons draws them. The package of all icons has
 * 88 MB for the 104 in use, so it is no dependency; this script has npm fetch it into a temporary folder.
 * After a source imports a new icon: `node src/console/icons/make-icons.mjs [--from FOLDER]`, where FOLDER is an unpacked `@tabler/icons`.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const tablerVersion = '3.51.0';
const here = fileURLToPath(new URL('.', import.meta.url));
const importOfIcons = /import \{([^}]+)\} from '[./]+icons\/icons\.js'/g;
const source = /\.tsx?$/;
const filledSuffix = /-filled$/;
const wordStart = /(?<!^)(?=[A-Z])|(?<=[a-z])(?=\d)/g;

/** The names of the components that sources of the console import, sorted. */
export function importedIcons() {
  const folder = join(here, '..');
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!source.test(file)) continue;
    for (const [, list] of readFileSync(join(folder, file), 'utf8').matchAll(importOfIcons)) {
      for (const name of list.split(','))
        if (name.trim() !== '') names.add(name.replace('type ', '').trim());
    }
  }
  names.delete('Icon');
  return [...names].sort();
}

function draw(name, outlines, fills) {
  const words = name.slice('Icon'.length).replace(wordStart, '-').toLowerCase();
  const isSolid = filledSuffix.test(words);
  const shapes = isSolid ? fills[words.replace(filledSuffix, '')] : outlines[words];
  if (shapes === undefined)
    throw new Error(`Tabler Icons ${tablerVersion} has no icon "${words}" (${name}).`);
  const paths = shapes.map(([tag, { d }]) => {
    if (tag !== 'path') throw new Error(`${name} has a <${tag}>; icon.ts draws paths alone.`);
    return `'${d}'`;
  });
  return `export const ${name}: Icon = ${isSolid ? 'solid' : 'outline'}(${paths.join(', ')});\n`;
}

function fetchIcons() {
  const folder = mkdtempSync(join(tmpdir(), 'tabler-icons-'));
  execFileSync('npm', ['pack', '--silent', `@tabler/icons@${tablerVersion}`], { cwd: folder });
  execFileSync('tar', ['-xzf', `tabler-icons-${tablerVersion}.tgz`], { cwd: folder });
  return folder;
}

function main() {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  const fetched = values.from === undefined ? fetchIcons() : null;
  const from = values.from ?? join(fetched, 'package');
  try {
    const read = (file) => JSON.parse(readFileSync(join(from, file), 'utf8'));
    const outlines = read('tabler-nodes-outline.json');
    const fills = read('tabler-nodes-filled.json');
    const icons = importedIcons().map((name) => draw(name, outlines, fills));
    const head = `/** Made by make-icons.mjs of Tabler Icons ${tablerVersion} (MIT, LICENSE): the icons that the console shows. */
import { type Icon, outline, solid } from './icon.js';

export type { Icon };
`;
    writeFileSync(join(here, 'icons.ts'), head + icons.join(''));
    copyFileSync(join(from, 'LICENSE'), join(here, 'LICENSE'));
  } finally {
    if (fetched !== null) rmSync(fetched, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
