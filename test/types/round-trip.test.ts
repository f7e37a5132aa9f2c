/**
 * Goal: types take every value that their schema takes, and lose nothing of it. Method: random schemas become one file in each
 * language; programs read random values by it and write them again, which ajv and a comparison check.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, expect, it } from 'vitest';
import { contentsSchema } from '../../src/command/types/contents-schema.js';
import { generateTypes } from '../../src/command/types/generate-types.js';
import type { Language } from '../../src/command/types/languages.js';
import { kitBuildMillisMax } from '../kits/kit-server.js';
import { makeDataFolder } from '../support/server/server.js';
import { checkTypescript, compileCppWithTypes, compileCsharp, lacks } from './compile-types.js';
import { randomSchemas } from './random-schemas.js';

const folder = makeDataFolder();
const samples = randomSchemas(30, 20261128);
const ids = samples.map((_, index) => `item${index}`);
const ajv = new Ajv2020({ strict: false, ownProperties: true });
formats.default(ajv);

interface Value {
  readonly id: string;
  readonly value: unknown;
}

const values: readonly Value[] = samples.flatMap((sample, index) =>
  sample.values.map((value) => ({ id: `item${index}`, value })),
);
const lines = `${values.map(({ id, value }) => `${id}\t${JSON.stringify(value)}`).join('\n')}\n`;

function source(language: Language): Promise<string> {
  const contents = samples.map(({ schema }, index) => {
    return { id: `item${index}`, schema: JSON.stringify(schema), lines: [], mapping: null };
  });
  return generateTypes(contentsSchema(contents), language, 'GameConfig');
}

/**
 * An absent member may come back as null, and an instant in another form. Mono reads and writes 15 digits of a double, and
 * none of the smallest.
 */
function plain(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return Math.abs(value) < 1e-290 ? 0 : value.toPrecision(14);
  }
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\dT.*(?:Z|\+00:00)$/.test(value) ? new Date(value).toISOString() : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, plain(member)]));
}

function expectKept(written: string): void {
  const back = written.split('\n').slice(0, -1);
  expect(back).toHaveLength(values.length);
  const lost = values.flatMap(({ id, value }, index) => {
    const read: unknown = JSON.parse(back[index] as string);
    return isDeepStrictEqual(plain(read), plain(value)) ? [] : [{ id, value, read }];
  });
  expect(lost).toEqual([]);
}

beforeAll(() => {
  for (const { id, value } of values) {
    const { schema } = samples[ids.indexOf(id)] as (typeof samples)[number];
    expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
  }
});

it('TypeScript: every value is of its type', async () => {
  writeFileSync(join(folder, 'contents.ts'), await source('typescript'));
  const checks = values
    .map(
      ({ id, value }) => `export const v${id}: Contents['${id}'][] = [${JSON.stringify(value)}];`,
    )
    .map((line, index) => line.replace('const v', `const n${index}v`));
  const text = `import type { Contents } from './contents.js';\n${checks.join('\n')}\n`;
  writeFileSync(join(folder, 'values.ts'), text);
  checkTypescript([join(folder, 'contents.ts'), join(folder, 'values.ts')], folder);
});

it.skipIf(lacks('csharp'))(
  'C#: every value comes back',
  { timeout: kitBuildMillisMax },
  async () => {
    writeFileSync(join(folder, 'Contents.cs'), await source('csharp'));
    writeFileSync(join(folder, 'Echo.cs'), csharpEcho);
    const program = compileCsharp(
      ['Contents.cs', 'Echo.cs'].map((name) => join(folder, name)),
      folder,
    );
    expectKept(execFileSync('mono', [program], { input: lines, encoding: 'utf8' }));
  },
);

it.skipIf(lacks('cpp'))('C++: every value comes back', { timeout: kitBuildMillisMax }, async () => {
  writeFileSync(join(folder, 'contents.hpp'), await source('cpp'));
  const game = join(folder, 'echo.cpp');
  writeFileSync(game, cppEcho());
  compileCppWithTypes(game, join(folder, 'echo'));
  expectKept(execFileSync(join(folder, 'echo'), { input: lines, encoding: 'utf8' }));
});

/** Reads each line by the type of the member of `Contents` that the id names. */
const csharpEcho = `
using System; using System.Linq; using System.Reflection; using System.Text; using GameConfig; using Newtonsoft.Json;
internal static class Echo {
  private static void Main() {
    Console.InputEncoding = Console.OutputEncoding = new UTF8Encoding(false);
    string line;
    while ((line = Console.ReadLine()) != null) {
      string[] parts = line.Split(new[] { '\\t' }, 2);
      PropertyInfo member = typeof(Contents).GetProperties().First(each =>
        each.GetCustomAttribute<JsonPropertyAttribute>().PropertyName == parts[0]);
      object value = JsonConvert.DeserializeObject(parts[1], member.PropertyType, Converter.Settings);
      Console.WriteLine(JsonConvert.SerializeObject(value, Formatting.None, Converter.Settings));
    }
  }
}
`;

function cppEcho(): string {
  const cases = ids.map(
    (id) =>
      `    if (id == "${id}") written = json::parse(text).get<decltype(GameConfig::Contents::${id})>();`,
  );
  return `#include <iostream>
#include "contents.hpp"
using nlohmann::json;
int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto tab = line.find('\\t');
    const std::string id = line.substr(0, tab), text = line.substr(tab + 1);
    json written;
${cases.join('\n')}
    std::cout << written.dump() << "\\n";
  }
}
`;
}
