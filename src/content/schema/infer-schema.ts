/** Makes a JSON Schema from the texts of a content item, as a draft for people to edit. Pure; works in a browser. */
import { TextIssue } from '../json/text-issue.js';
import { parseTextTree } from '../json/text-tree.js';
import { addDelivered, type DeliveredPath } from './delivered-values.js';
import { schemaOf } from './schema-of-shape.js';
import { addNode, emptyShape, shapeLevelsMax } from './value-shape.js';

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

export interface SchemaSources {
  /** JSONC, of every version line. */
  readonly texts: readonly string[];
  /** What rules and variants may deliver, of every version line; empty without targeting. */
  readonly delivered: readonly DeliveredPath[];
}

/**
 * A schema that all of these values match: types, required members, ranges of a tenth to ten times the numbers seen, and
 * enumerations of few texts in elements of arrays. Other members stay allowed. Deep parts are left out of a schema that
 * would be too long.
 *
 * @param charsMax how long it may be, in UTF-16 units
 * @returns JSON with two spaces of indentation, or what is wrong with a text
 */
export function inferSchema(
  { texts, delivered }: SchemaSources,
  charsMax: number,
): string | TextIssue {
  const shape = emptyShape();
  for (const text of texts) {
    const tree = parseTextTree(text);
    if (tree instanceof TextIssue) return tree;
    addNode(shape, tree, tree.root);
  }
  addDelivered(shape, delivered);
  for (let levels = shapeLevelsMax; levels > 0; levels >>= 1) {
    const schema = printed(schemaOf(shape, levels));
    if (schema.length <= charsMax) return schema;
  }
  return printed(schemaOf(shape, 0));
}

function printed(schema: object): string {
  return `${JSON.stringify({ $schema: draft2020, ...schema }, null, 2)}\n`;
}
