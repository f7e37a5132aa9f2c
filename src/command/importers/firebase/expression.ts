/**
 * The conditions of a Remote Config template as a tree of tests. Client templates write them as expressions, in the language of
 * https://firebase.google.com/docs/remote-config/condition-reference; server templates as objects (server-condition.ts).
 */

import { readTokens, type Token } from './expression-tokens.js';

/** One test. `element` and `operator` as the reference names them; an operator on versions has `version` before it. */
export interface Atom {
  readonly element: string;
  /** Of a user property or custom signal; of `percent` the seed. */
  readonly key: string | null;
  readonly operator: string;
  readonly values: readonly (string | number)[];
}

export type Expression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'atom'; readonly atom: Atom };

/** Why an expression could not be read. */
export class ExpressionIssue {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function parseExpression(text: string): Expression | ExpressionIssue {
  const tokens = readTokens(text);
  if (tokens === null) return new ExpressionIssue(`cannot be read: ${text}`);
  try {
    return new ExpressionParser(tokens).parse();
  } catch (error) {
    if (error instanceof Unexpected) return new ExpressionIssue(`${error.message} in: ${text}`);
    throw error;
  }
}

class Unexpected extends Error {}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const of = [this.#term()];
    while (this.#takes('&&')) of.push(this.#term());
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new Unexpected(`${rest.text} is not expected`);
    const [first] = of;
    return of.length === 1 && first !== undefined ? first : { kind: 'all', of };
  }

  #term(): Expression {
    const element = this.#name();
    if (element === 'true' || element === 'false') {
      return { kind: 'constant', value: element === 'true' };
    }
    return { kind: 'atom', atom: this.#atom(element) };
  }

  #atom(first: string): Atom {
    if (first === 'percent') return this.#percent();
    if (first === 'version') return this.#versionOf();
    let element = first;
    let key: string | null = null;
    for (;;) {
      if (this.#takes('[')) {
        key = String(this.#literal());
        this.#needs(']');
      } else if (this.#takes('.')) {
        const member = this.#next();
        if (this.#takes('(')) return { element, key, ...this.#call(member) };
        element = `${element}.${member.text}`;
      } else {
        return { element, key, ...this.#infix() };
      }
    }
  }

  /** `.exactlyMatches(['a'])` and `.>=(['1.2.3'])`; the parenthesis is open. */
  #call({ text, kind }: Token): Pick<Atom, 'operator' | 'values'> {
    const values = this.#list();
    this.#needs(')');
    return { operator: kind === 'sign' ? `version ${text}` : text, values };
  }

  #infix(): Pick<Atom, 'operator' | 'values'> {
    const { text } = this.#next();
    if (text === 'in') return { operator: text, values: this.#list() };
    if (!comparisons.has(text)) throw new Unexpected(`${text} is no operator`);
    return { operator: text, values: this.#operand() };
  }

  /** A literal, or a point in time: `dateTime('…', 'zone')`, or the same without the word. */
  #operand(): readonly (string | number)[] {
    if (this.#peek() === 'dateTime') this.#at += 1;
    else if (this.#peek() !== '(') return [this.#literal()];
    this.#needs('(');
    const values = [this.#literal()];
    while (this.#takes(',')) values.push(this.#literal());
    this.#needs(')');
    return values;
  }

  /** `percent <= 10`, `percent('seed') between 5 and 15`. */
  #percent(): Atom {
    let key: string | null = null;
    if (this.#takes('(')) {
      // An empty seed is none.
      key = String(this.#literal()) || null;
      this.#needs(')');
    }
    const operator = this.#next().text;
    const values = [this.#literal()];
    if (operator === 'between') {
      this.#needs('and');
      values.push(this.#literal());
    }
    return { element: 'percent', key, operator, values };
  }

  /** `version(app.customSignal['client']) >= '1.2.0'`. */
  #versionOf(): Atom {
    this.#needs('(');
    let element = this.#name();
    while (this.#takes('.')) element = `${element}.${this.#name()}`;
    let key: string | null = null;
    if (this.#takes('[')) {
      key = String(this.#literal());
      this.#needs(']');
    }
    this.#needs(')');
    const { operator, values } = this.#infix();
    return { element, key, operator: `version ${operator}`, values };
  }

  #list(): readonly (string | number)[] {
    const values: (string | number)[] = [];
    this.#needs('[');
    do values.push(this.#literal());
    while (this.#takes(','));
    this.#needs(']');
    return values;
  }

  #literal(): string | number {
    const token = this.#next();
    if (token.kind === 'string') return token.text;
    if (token.kind === 'number') return Number(token.text);
    throw new Unexpected(`${token.text} is not expected`);
  }

  #name(): string {
    const token = this.#next();
    if (token.kind !== 'name') throw new Unexpected(`${token.text} is not expected`);
    return token.text;
  }

  #peek(): string | null {
    const token = this.#tokens[this.#at];
    return token === undefined || token.kind === 'string' ? null : token.text;
  }

  #takes(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at += 1;
    return true;
  }

  #needs(text: string): void {
    if (!this.#takes(text)) throw new Unexpected(`${text} is missing`);
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Unexpected('the end is not expected');
    this.#at += 1;
    return token;
  }
}
