/** What a mutation does to one node of the syntax tree: small changes of meaning that still compile more often than not. */
import { parseAst } from 'vite';

/**
 * @typedef {object} Mutation
 * @property {number} start offset in the text, in UTF-16 code units
 * @property {number} end
 * @property {string} operator what is done
 * @property {string} replacement what stands there instead
 */

const otherOperators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
};

/**
 * Every mutation of a module, in the order of the text.
 * @param {string} text TypeScript
 * @returns {Mutation[]}
 */
export function mutationsOf(text) {
  /** @type {Mutation[]} */
  const found = [];
  const of = (node) => text.slice(node.start, node.end);
  const add = (node, operator, replacement) =>
    found.push({ start: node.start, end: node.end, operator, replacement });

  const operators = {
    BinaryExpression: otherOperator,
    LogicalExpression: otherOperator,
    AssignmentExpression: otherOperator,
    UpdateExpression(node) {
      const other = node.operator === '++' ? '--' : '++';
      add(node, 'other operator', of(node).replace(node.operator, other));
    },
    UnaryExpression(node) {
      if (node.operator === '!') add(node, 'negation dropped', of(node.argument));
    },
    IfStatement(node) {
      add(node.test, 'condition negated', `!(${of(node.test)})`);
      if (node.alternate === null) add(node, 'branch dropped', ';');
    },
    ConditionalExpression(node) {
      add(node.test, 'condition negated', `!(${of(node.test)})`);
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, 'other boolean', String(!node.value));
      if (typeof node.value === 'number') add(node, 'number plus one', `(${of(node)} + 1)`);
      // A sentence is for people; an empty text or one word is for the program.
      if (typeof node.value === 'string' && !/\s/.test(node.value)) {
        add(node, 'other text', node.value === '' ? "'mutated'" : "''");
      }
    },
    ExpressionStatement(node) {
      const call =
        node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (call.type === 'CallExpression' && call.callee.type !== 'Super')
        add(node, 'call dropped', ';');
    },
    CallExpression(node) {
      const { callee } = node;
      // One link of a chain of calls: `query.where(…).limit(1)` without its `where`.
      const isLink = callee.type === 'MemberExpression' && callee.object.type === 'CallExpression';
      if (isLink) add(node, 'link of a chain dropped', of(callee.object));
    },
  };
  function otherOperator(node) {
    const other = otherOperators[node.operator];
    if (other === undefined) return;
    const between = text.slice(node.left.end, node.right.start).replace(node.operator, other);
    add(node, 'other operator', `${of(node.left)}${between}${of(node.right)}`);
  }

  visit(parseAst(text, { lang: 'ts' }, 'module.ts'), (node) => operators[node.type]?.(node));
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Types, imports and decorators have no meaning when the program runs. */
const skipped =
  /^(TS(?!AsExpression|NonNullExpression|SatisfiesExpression)|Import|Export(All|Specifier))/;

function visit(node, onNode) {
  if (skipped.test(node.type)) return;
  onNode(node);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'typeAnnotation' || name === 'returnType' || name === 'typeArguments') continue;
    // A key is a name, not a value; `source` is what is imported.
    if ((name === 'key' && !node.computed) || name === 'source') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child, onNode);
    }
  }
}
