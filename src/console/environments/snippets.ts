/** Requests to the delivery API, ready to paste, with key and address filled in. */

export interface SnippetOptions {
  /** Origin of the delivery API. */
  readonly address: string;
  readonly key: string;
  /** A live content item; null: there is none, and the request is for the catalog. */
  readonly content: string | null;
}

export interface Snippet {
  /** For ids of elements. */
  readonly id: 'curl' | 'javascript' | 'csharp';
  readonly name: 'curl' | 'JavaScript' | 'C# (Unity)';
  readonly text: string;
}

// The three snippets send the same.
const userContext = '{"u":"player-1","p":{"country":"DE"},"v":"1.0.0"}';

export function snippets(options: SnippetOptions): readonly Snippet[] {
  const url = urlOf(options);
  const { key, content } = options;
  const isPost = content !== null;
  return [
    { id: 'curl', name: 'curl', text: curl(url, key, isPost) },
    { id: 'javascript', name: 'JavaScript', text: javaScript(url, key, isPost) },
    { id: 'csharp', name: 'C# (Unity)', text: cSharp(url, key, isPost) },
  ];
}

function urlOf({ address, content }: SnippetOptions): string {
  const origin = address.endsWith('/') ? address.slice(0, -1) : address;
  if (content === null) return `${origin}/api/v1/env/catalog`;
  return `${origin}/api/v1/config/${encodeURIComponent(content)}/dynamic`;
}

function curl(url: string, key: string, isPost: boolean): string {
  const lines = [
    `curl -sS ${shellQuoted(url)}`,
    `-H ${shellQuoted(`X-Api-Key: ${key}`)}`,
    "-H 'Content-Type: application/json'",
    ...(isPost ? [`-d ${shellQuoted(userContext)}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function javaScript(url: string, key: string, isPost: boolean): string {
  const request = isPost
    ? `  method: 'POST',
  headers: { 'X-Api-Key': ${quoted(key)}, 'Content-Type': 'application/json' },
  body: JSON.stringify({ u: 'player-1', p: { country: 'DE' }, v: '1.0.0' }),`
    : `  headers: { 'X-Api-Key': ${quoted(key)}, 'Content-Type': 'application/json' },`;
  return `const response = await fetch(${quoted(url)}, {
${request}
});
const result = await response.json();
if (!response.ok) throw new Error(\`\${result.code}: \${result.detail}\`);
console.log(${isPost ? 'result.data, result.hash' : 'result.catalog'});`;
}

function cSharp(url: string, key: string, isPost: boolean): string {
  const upload = isPost
    ? `
            uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(UserContext)),`
    : '';
  const context = isPost
    ? `
    const string UserContext = ${quotedForCSharp(userContext)};`
    : '';
  return `using System.Collections;
${isPost ? 'using System.Text;\n' : ''}using UnityEngine;
using UnityEngine.Networking;

public class LoadoutExample : MonoBehaviour
{
    const string Url = ${quotedForCSharp(url)};
    const string ApiKey = ${quotedForCSharp(key)};${context}

    IEnumerator Start()
    {
        using var request = new UnityWebRequest(Url, "${isPost ? 'POST' : 'GET'}")
        {${upload}
            downloadHandler = new DownloadHandlerBuffer(),
        };
        request.SetRequestHeader("X-Api-Key", ApiKey);
        request.SetRequestHeader("Content-Type", "application/json");
        yield return request.SendWebRequest();

        var text = request.downloadHandler.text;
        if (request.result == UnityWebRequest.Result.Success) Debug.Log(text);
        else Debug.LogError($"{request.responseCode}: {text}");
    }
}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Its escapes are those of JSON, as far as these texts need any. */
function quotedForCSharp(text: string): string {
  return JSON.stringify(text);
}
