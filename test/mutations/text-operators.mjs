/** Small changes of meaning in the text of any language with the syntax of C: what `operators.mjs` does without a syntax tree. */

/** @typedef {import('./operators.mjs').Mutation} Mutation */

const otherTexts = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' == ': ' != ',
  ' != ': ' == ',
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' += ': ' -= ',
  ' -= ': ' += ',
  true: 'false',
  false: 'true',
};
// Formatters put spaces around binary operators; what has none is a type argument or a sign.
const token =
  / (?:[<>]=?|[!=]==?|&&|\|\||[+-]=?) |\b(?:true|false)\b|(?<![\w.])\d[\d_']*(?![\w.])/g;
/** A call or an assignment on a line of its own. */
const statement =
  /^[ \t]*(?!return\b|throw\b|break\b|continue\b|using\b|import\b|export\b|delete\b)(?:await )?[\w.>[\]#*:-]+(?:\(.*\)| [+-]?= [^;]*);[ \t]*$/gm;

/**
 * Every mutation of a text, in its order.
 * @param {string} text TypeScript, C# or C++
 * @returns {Mutation[]}
 */
export function textMutationsOf(text) {
  const code = withoutProse(text);
  /** @type {Mutation[]} */
  const found = [];
  for (const { 0: before, index } of code.matchAll(token)) {
    const [operator, replacement] =
      otherTexts[before] === undefined
        ? otherNumber(before)
        : ['other operator', otherTexts[before]];
    found.push({ start: index, end: index + before.length, operator, replacement });
  }
  for (const { 0: line, index } of code.matchAll(statement)) {
    if (isBalanced(line)) {
      const end = index + line.length;
      found.push({ start: index, end, operator: 'statement dropped', replacement: ';' });
    }
  }
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** One more than a thousand makes no difference that a test should find. */
function otherNumber(text) {
  return text.length < 3
    ? ['number plus one', `(${text} + 1)`]
    : ['number doubled', `(${text} * 2)`];
}

/** Comments, texts and lines of a preprocessor as blanks, so that all else stays at its place. */
function withoutProse(text) {
  const prose =
    /\/\/.*|\/\*[\s\S]*?\*\/|^[ \t]*#.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gm;
  return text.replace(prose, (piece) => piece.replace(/[^\n]/g, '\u00a0'));
}

function isBalanced(line) {
  let open = 0;
  for (const character of line) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
