/** `loadout types`: types of content items for C#, TypeScript and C++, with functions that read them through a client kit. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { withServer } from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { CommandFailure, misuse, unreadable } from '../terminal/failure.js';
import { oneLine, print, printNote } from '../terminal/output.js';
import { contentsSchema } from './contents-schema.js';
import { contentsOfFolder, contentsOfServer, pickContents } from './exported-contents.js';
import { checkNamespace, type Language, languages } from './languages.js';

interface TypesOptions {
  readonly language: Language;
  readonly env?: string;
  readonly dir?: string;
  readonly content: readonly string[];
  readonly namespace: string;
  readonly out?: string;
  readonly check: boolean;
  readonly url?: string;
  readonly profile?: string;
}

export function typesCommand(): Command {
  return withServer(new Command('types'))
    .description('write types of content items for a game: C#, TypeScript or C++')
    .addOption(
      new Option('--language <language>', 'language of the types')
        .choices(languages)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--env <environment>', 'environment to read').env('LOADOUT_ENV'))
    .option('--dir <folder>', 'read a folder of `loadout export --dir` instead, without a server')
    .option('--content <id...>', 'contents to write types of; all that are live if left out', [])
    .option('--namespace <name>', 'namespace of C# and C++', 'GameConfig')
    .option('--out <file>', 'the file to write; standard output if left out')
    .option('--check', 'write nothing; exit with 1 if the file differs (for CI)', false)
    .addHelpText(
      'after',
      '\nTypes come from the JSON Schemas of contents (`loadout content schema put`). The type of a content without a schema is\ninferred from its texts and targeting rules. What a type cannot express is reported on standard error.',
    )
    .action(writeTypes);
}

async function writeTypes(options: TypesOptions, command: Command): Promise<void> {
  const { language, namespace, out, check } = options;
  if (check && out === undefined) throw misuse('--check needs --out: the file to compare.');
  checkNamespace(namespace, language);
  const exported = pickContents(await readContents(options, command), options.content);
  if (exported.length === 0) throw new CommandFailure('There are no contents to make types of.');
  const schema = contentsSchema(exported);
  for (const { id, pointer, message } of schema.findings) {
    const place = pointer === '' ? id : `${id}, schema at ${pointer}`;
    printNote(oneLine(`note: ${place}: ${message}`));
  }
  if (schema.contents.length === 0) throw new CommandFailure('No content has a type.');
  const { generateTypes } = await import('./generate-types.js');
  const text = await generateTypes(schema, language, namespace);
  const inferred = schema.contents.filter(({ schemaDigest }) => schemaDigest === null).length;
  const counts = `${counted(schema.contents.length, 'content')}, ${inferred} of them inferred`;
  if (check) {
    checkFile(out as string, text);
    printNote(`${out} has the types of ${counts}.`);
  } else if (out === undefined) {
    print(text);
  } else {
    writeFileSync(out, text);
    printNote(`Wrote types of ${counts} to ${out}.`);
  }
}

function readContents(options: TypesOptions, command: Command) {
  const { env, dir } = options;
  if (dir === undefined) {
    if (env === undefined) throw misuse('Give --env, or --dir for a folder.');
    return contentsOfServer({ ...options, env, json: false });
  }
  const beside = ['env', 'url', 'profile'].find(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  if (beside !== undefined) throw misuse(`--dir needs no server: leave out --${beside}.`);
  return contentsOfFolder(dir);
}

/** Line ends of Windows are no difference: Git makes them. */
function checkFile(file: string, text: string): void {
  let saved: string;
  try {
    saved = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  if (saved.replaceAll('\r\n', '\n') === text) return;
  throw new CommandFailure(
    `${file} differs from the types of the contents: write it again, and commit it.`,
  );
}
