/**
 * A schema for a content item that has none: that of all values which any player could be given (D90). Numbers are
 * `number` and texts are `string`, whatever they look like today: the next edit may write 4.5 where 4 stands.
 */

import type { AbstractValue } from '../../content/envelope/abstract-value.js';
import { envelopeOf } from '../../content/envelope/envelope-of.js';
import { typesOf } from '../../content/envelope/json-types.js';
import type { JsonType } from '../../content/envelope/line-envelope.js';
import { ValueGroup } from '../../content/envelope/value-group.js';
import { indexDocument } from '../../content/json/document.js';
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextIssue } from '../../content/json/text-issue.js';
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import { CommandFailure } from '../terminal/failure.js';
import { inputLevelsMax } from '../terminal/limits.js';
import type { ExportedContent } from './exported-contents.js';
import type { SchemaNode, TypedSchema, TypeFinding } from './schema-node.js';
import { singularOf, titleOf } from './type-names.js';

/** A type that nests deeper is no longer read by people. */
const levelsMax = 32;
/** Places of a content; beyond, a generator takes minutes. */
export const placesMax = 5000;

/** @throws CommandFailure when a text or the mapping is not valid */
export function inferSchema(content: ExportedContent): TypedSchema {
  const lines = content.lines.map(({ appVersion, text }) => {
    const json = stripJsonc(Buffer.from(text), inputLevelsMax);
    if (json instanceof TextIssue) throw invalid(content.id, json.message);
    return { version: appVersion, document: indexDocument(json) };
  });
  const envelopes = envelopeOf(lines, rulesOf(content));
  if (envelopes.some(({ isUnbounded }) => isUnbounded)) {
    return unknownOf('The targeting rules are too many to follow: any value is possible.');
  }
  const inference = new Inference();
  const root = inference.nodeOf(
    envelopes.map((envelope) => envelope.root),
    content.id,
    0,
  );
  return { root, definitions: new Map(), findings: inference.findings };
}

function rulesOf({ id, mapping }: ExportedContent): readonly Rule[] {
  if (mapping === null) return [];
  const parsed = parseMapping(Buffer.from(mapping));
  if (!parsed.ok) throw invalid(id, parsed.issues[0]?.message ?? 'its mapping is not valid');
  return parsed.rules;
}

function invalid(id: string, message: string): CommandFailure {
  return new CommandFailure(`${id} is not valid: ${message}`);
}

function unknownOf(message: string): TypedSchema {
  return { root: {}, definitions: new Map(), findings: [{ pointer: '', message }] };
}

class Inference {
  readonly findings: TypeFinding[] = [];
  #places = 0;

  /** @param name of the member that has the values */
  nodeOf(values: readonly AbstractValue[], name: string, level: number): SchemaNode {
    this.#places += 1;
    if (level > levelsMax || this.#places > placesMax) {
      if (this.findings.length === 0) {
        const message = `It has more than ${placesMax} places or ${levelsMax} levels: what is beyond may be of any type. Give it a schema.`;
        this.findings.push({ pointer: '', message });
      }
      return {};
    }
    const group = new ValueGroup(values);
    const nodes = typesOf(group.types).map((type) => this.#nodeOfType(type, group, name, level));
    return nodes.length === 1
      ? (nodes[0] as SchemaNode)
      : nodes.length === 0
        ? {}
        : { anyOf: nodes };
  }

  #nodeOfType(type: JsonType, group: ValueGroup, name: string, level: number): SchemaNode {
    if (type === 'array') {
      return { type, items: this.nodeOf(group.elements, singularOf(name), level + 1) };
    }
    if (type !== 'object') return { type };
    const given = group.members.filter(({ values }) => values.length > 0);
    const properties = given.map((member) => {
      return [member.name, this.nodeOf(member.values, member.name, level + 1)] as const;
    });
    const required = given.filter((member) => group.alwaysHas(member)).map((each) => each.name);
    return {
      type,
      title: titleOf(name),
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
    };
  }
}
