/** Whether two JSON texts differ only in their white space. */
export function sameTokens(a: string, b: string): boolean {
  return a === b || squeeze(a) === squeeze(b);
}

const textOrSpace = /"(?:[^"\\]|\\.)*"|\s+/g;

function squeeze(json: string): string {
  return json.replace(textOrSpace, (token) => (token.startsWith('"') ? token : ''));
}
