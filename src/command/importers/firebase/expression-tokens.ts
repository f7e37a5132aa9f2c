/** The words of a condition's expression: names, strings in either quotes, numbers and signs. */

export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign';
  /** Of a string what it means, without its quotes. */
  readonly text: string;
}

const token =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?|-?\.\d+)|'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<sign>&&|==|!=|<=|>=|[<>.,()[\]]))/suy;
const escaped = /\\(.)/gsu;
const blank = /^\s*$/;

/** Null: something in the text is none of these. */
export function readTokens(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  const scanner = new RegExp(token.source, token.flags);
  let end = 0;
  for (let found = scanner.exec(text); found !== null; found = scanner.exec(text)) {
    end = scanner.lastIndex;
    const { name, number, single, double, sign } = found.groups ?? {};
    const string = single ?? double;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (string !== undefined)
      tokens.push({ kind: 'string', text: string.replace(escaped, '$1') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return blank.test(text.slice(end)) ? tokens : null;
}
