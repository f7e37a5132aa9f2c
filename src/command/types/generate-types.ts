/** Makes the source text of types, with quicktype (D126): deterministic, and nothing of it depends on the clock. */

import {
  FetchingJSONSchemaStore,
  InputData,
  JSONSchemaInput,
  type LanguageName,
  quicktype,
  type RendererOptions,
} from 'quicktype-core';
import { readersOf } from './content-readers.js';
import { type ContentsSchema, contentsTypeName, type TypedContent } from './contents-schema.js';
import { includedHeaders, mendedCpp } from './generated-cpp.js';
import type { Language } from './languages.js';
import type { SchemaNode } from './schema-node.js';

/** In the style of the kit of the language. */
const rendererOptions = {
  csharp: (namespace: string) => ({
    namespace,
    framework: 'NewtonSoft',
    'csharp-version': '6',
    'array-type': 'list',
    'check-required': true,
  }),
  typescript: () => ({ 'just-types': true, 'prefer-unions': true, readonly: true }),
  cpp: (namespace: string) => ({
    namespace,
    boost: false,
    'code-format': 'with-struct',
    'include-location': 'global-include',
    'type-style': 'pascal-case',
    'member-style': 'camel-case',
    'enumerator-style': 'pascal-case',
    'hide-null-optional': true,
  }),
} satisfies Record<Language, (namespace: string) => RendererOptions>;

/** Everything is in the schema: nothing is guessed of names or values. */
const inference = {
  combineClasses: false,
  inferMaps: false,
  inferEnums: false,
  inferUuids: false,
  inferIntegerStrings: false,
  inferBooleanStrings: false,
  ignoreJsonRefs: true,
};

/**
 * @param namespace of C# and C++; TypeScript has none
 * @returns the text of one file
 */
export async function generateTypes(
  { schema, contents }: ContentsSchema,
  language: Language,
  namespace: string,
): Promise<string> {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  const text = JSON.stringify(language === 'csharp' ? schema : withoutDates(schema));
  await input.addSource({ name: contentsTypeName, schema: text });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    ...inference,
    inputData,
    lang: language satisfies LanguageName,
    inferDateTimes: language === 'csharp',
    leadingComments: [],
    rendererOptions: rendererOptions[language](namespace),
  });
  const types = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  const parts = language === 'cpp' ? [includedHeaders, mendedCpp(types)] : [types];
  const readers = readersOf(language, namespace, contents, types);
  const ordered = language === 'typescript' ? [readers.before, ...parts] : parts;
  return `${[header(contents), ...ordered, readers.after].join('\n\n')}\n`;
}

/** No revisions: they change with each price, and the types do not. */
function header(contents: readonly TypedContent[]): string {
  const sources = contents.map(({ id, schemaDigest }) =>
    schemaDigest === null
      ? `// ${id}: inferred from its texts and targeting rules, because it has no schema`
      : `// ${id}: schema ${schemaDigest}`,
  );
  return [
    '// Types of content items, made by `loadout types`. Do not edit.',
    '//',
    ...sources,
  ].join('\n');
}

/** Only C# has a type for instants that its JSON library reads. */
function withoutDates<T extends SchemaNode>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'format' && value === 'date-time' ? undefined : value,
    ),
  );
}
