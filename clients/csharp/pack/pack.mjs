/**
 * Makes the packages of the C# kit from its one file:
 *
 *   node pack/pack.mjs nuget FOLDER     Loadout.Client.VERSION.nupkg, with a library of .NET Standard 2.0 (needs mono-devel, nuget)
 *   node pack/pack.mjs unity FOLDER     com.loadout.client-VERSION.tgz, for Unity's package manager
 *
 * VERSION is that of the project.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const kit = resolve(import.meta.dirname, '..');
const project = resolve(kit, '../..');
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const monoFolder = '/usr/lib/mono';

/** Runs a program, and fails with what it printed. */
function run(cwd, program, ...args) {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function packNuget(work, out) {
  const lib = join(work, 'lib/netstandard2.0');
  mkdirSync(lib, { recursive: true });
  const versionFile = join(work, 'Version.cs');
  writeFileSync(versionFile, `[assembly: System.Reflection.AssemblyVersion("${version}.0")]\n`);
  run(
    kit,
    'mcs',
    ...['-langversion:7.2', '-warn:4', '-warnaserror', '-optimize+', '-target:library'],
    '-r:System.Net.Http.dll',
    `-doc:${join(lib, 'Loadout.xml')}`,
    `-out:${join(work, 'Loadout.dll')}`,
    'Loadout.cs',
    versionFile,
  );
  retarget(work, join(work, 'Loadout.dll'), join(lib, 'Loadout.dll'));
  cpSync(join(kit, 'README.md'), join(work, 'README.md'));
  cpSync(join(project, 'LICENSE'), join(work, 'LICENSE'));
  cpSync(join(kit, 'pack/Loadout.Client.nuspec'), join(work, 'Loadout.Client.nuspec'));
  run(
    work,
    'nuget',
    ...['pack', 'Loadout.Client.nuspec', '-Version', version, '-OutputDirectory', out],
  );
}

/** mcs compiles for Mono's own libraries; what is in them and in .NET Standard as well is the same types. */
function retarget(work, from, to) {
  const folder = join(monoFolder, 'gac/Mono.Cecil');
  const cecil = join(folder, readdirSync(folder)[0] ?? '', 'Mono.Cecil.dll');
  const program = join(work, 'Retarget.exe');
  run(kit, 'mcs', ...['-warnaserror', `-r:${cecil}`, `-out:${program}`, 'pack/Retarget.cs']);
  cpSync(cecil, join(work, 'Mono.Cecil.dll'));
  run(work, 'mono', program, from, join(monoFolder, '4.5/Facades/netstandard.dll'), to);
}

function packUnity(work, out) {
  const folder = join(work, 'package');
  mkdirSync(join(folder, 'Runtime'), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(kit, 'unity/package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, version }, null, 2)}\n`,
  );
  cpSync(join(kit, 'Loadout.cs'), join(folder, 'Runtime/Loadout.cs'));
  cpSync(join(kit, 'unity/Loadout.Client.asmdef'), join(folder, 'Runtime/Loadout.Client.asmdef'));
  cpSync(join(kit, 'unity/Samples~'), join(folder, 'Samples~'), { recursive: true });
  cpSync(join(kit, 'README.md'), join(folder, 'README.md'));
  cpSync(join(project, 'LICENSE'), join(folder, 'LICENSE'));
  writeMetas(folder, folder);
  run(work, 'tar', ...['-czf', join(out, `${manifest.name}-${version}.tgz`), 'package']);
}

/**
 * Unity ignores files of a package without a .meta file beside them, and knows each by the identity in it: it follows from
 * the path, so it stays the same. Folders that end with a tilde are hidden from Unity.
 */
function writeMetas(root, folder) {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('~')) continue;
    const path = join(folder, name);
    const guid = createHash('md5')
      .update(`com.loadout.client/${relative(root, path)}`)
      .digest('hex');
    const isFolder = statSync(path).isDirectory();
    writeFileSync(
      `${path}.meta`,
      `fileFormatVersion: 2\nguid: ${guid}\n${isFolder ? 'folderAsset: yes\n' : ''}`,
    );
    if (isFolder) writeMetas(root, path);
  }
}

const packers = { nuget: packNuget, unity: packUnity };
const [kind = '', folder = '.'] = process.argv.slice(2);
const pack = packers[kind];
if (pack === undefined) throw new Error(`pack.mjs ${Object.keys(packers).join('|')} FOLDER`);
const work = mkdtempSync(join(tmpdir(), 'loadout-pack-'));
try {
  mkdirSync(folder, { recursive: true });
  pack(work, resolve(folder));
} finally {
  rmSync(work, { recursive: true, force: true });
}
