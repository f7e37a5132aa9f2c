/** The functions of the generated file that read a content item through the client kit of the language. */

import type { TypedContent } from './contents-schema.js';
import type { Language } from './languages.js';

interface Readers {
  /** What must stand at the head of the file. */
  readonly before: string;
  readonly after: string;
}

export function readersOf(
  language: Language,
  namespace: string,
  contents: readonly TypedContent[],
  types: string,
): Readers {
  switch (language) {
    case 'typescript':
      return typescriptReaders;
    case 'csharp':
      return { before: '', after: csharpReaders(namespace, contents, types) };
    case 'cpp':
      return { before: '', after: cppReaders(namespace, contents, types) };
  }
}

const csharpMember = /\]\n\s+public (?<type>\S.*) \S+ \{ get; set; \}/;
const cppMember = /get<(?<type>.+)>\(\);/;

const typescriptReaders: Readers = {
  before: `import type { Client, Value, Widened } from '@loadout/client';`,
  after: `/** A content item of the active configuration, or the default. */
export function getContent<Id extends keyof Contents>(
  client: Pick<Client, 'get'>,
  id: Id,
  defaultValue: Contents[Id],
): Value<Widened<Contents[Id]>> {
  return client.get<Contents[Id]>(id, '', defaultValue);
}`,
};

function csharpReaders(
  namespace: string,
  contents: readonly TypedContent[],
  types: string,
): string {
  const readers = contents.map(({ id, name }) => {
    const type = csharpTypeOf(id, types);
    return `
        /// <summary>The content item ${id}. The default, if there is none or it does not match its type.</summary>
        public static ${type} Get${name}(this global::Loadout.Client client, ${type} defaultValue)
        {
            return Read(client, "${id}", defaultValue);
        }
`;
  });
  return `namespace ${namespace}
{
    using System;
    using System.Collections.Generic;

    using Newtonsoft.Json;

    /// <summary>Reads content items of the active configuration. It parses JSON: keep the result until the next Activate.</summary>
    public static class ContentReader
    {${readers.join('')}
        private static T Read<T>(global::Loadout.Client client, string id, T defaultValue)
        {
            string json = client.GetJson(id, "", null);
            if (json == null) return defaultValue;
            try
            {
                return JsonConvert.DeserializeObject<T>(json, Converter.Settings);
            }
            catch (Exception)
            {
                return defaultValue;
            }
        }
    }
}`;
}

function csharpTypeOf(id: string, types: string): string {
  const members = types.slice(types.indexOf('public partial class Contents'));
  const head = `[JsonProperty("${id}"`;
  const after = members.slice(members.indexOf(head));
  return found(csharpMember.exec(after), id);
}

function cppReaders(namespace: string, contents: readonly TypedContent[], types: string): string {
  const readers = contents.map(({ id, name }) => {
    const type = cppTypeOf(id, types);
    return `
/** The content item ${id}. The default, if there is none or it does not match its type. */
inline ::loadout::Value<${type}> get${name}(const ::loadout::Reader& client, ${type} defaultValue) {
  return readContent<${type}>(client, "${id}", std::move(defaultValue));
}
`;
  });
  return `namespace ${namespace} {

/** Reads a content item of the active configuration. It parses JSON: keep the result until the next activate. */
template <typename T>
::loadout::Value<T> readContent(const ::loadout::Reader& client, const char* id, T defaultValue) {
  const ::loadout::Value<std::string> text = client.getJson(id, "", "");
  if (text.value.empty()) return {std::move(defaultValue), text.source, text.isPastChange};
  try {
    return {nlohmann::json::parse(text.value).template get<T>(), text.source, text.isPastChange};
  } catch (const std::exception&) {
    return {std::move(defaultValue), ::loadout::Source::Default, text.isPastChange};
  }
}
${readers.join('')}
}  // namespace ${namespace}`;
}

function cppTypeOf(id: string, types: string): string {
  const members = types.slice(types.lastIndexOf('from_json(const json & j, Contents&'));
  const at = members.indexOf(`j.at("${id}").get<`);
  return found(cppMember.exec(members.slice(at)), id);
}

/** The generator's text is of its pinned version; another form is a bug here, and not the reader's. */
function found(match: RegExpExecArray | null, id: string): string {
  const type = match?.groups?.['type'];
  if (type === undefined) throw new Error(`the generated text has no type of ${id}`);
  return type;
}
