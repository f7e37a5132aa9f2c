/** A Remote Config template, checked against its schema. */

import { ConversionIssue } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import {
  checkMembers,
  isObject,
  type JsonObject,
  mustBe,
  objectIn,
  objectsIn,
  textIn,
} from '../source.js';
import { type Expression, type ExpressionIssue, parseExpression } from './expression.js';
import { conditionMembers, groupMembers, parameterMembers, templateMembers } from './schema.js';
import { readServerCondition } from './server-condition.js';

export interface FirebaseCondition {
  readonly name: string;
  readonly description: string;
  readonly expression: Expression | ExpressionIssue;
  readonly path: readonly string[];
}

export interface FirebaseParameter {
  readonly key: string;
  readonly description: string;
  readonly type: string;
  readonly defaultValue: unknown;
  readonly conditionalValues: JsonObject;
  readonly path: readonly string[];
}

/** Parameters that become one content item. */
export interface FirebaseGroup {
  /** Null: they are in no group. */
  readonly name: string | null;
  readonly description: string;
  readonly parameters: readonly FirebaseParameter[];
}

export interface FirebaseTemplate {
  /** The first one that holds decides. */
  readonly conditions: readonly FirebaseCondition[];
  readonly groups: readonly FirebaseGroup[];
}

const types: ReadonlySet<string> = new Set(['STRING', 'BOOLEAN', 'NUMBER', 'JSON']);
const unspecified = 'PARAMETER_VALUE_TYPE_UNSPECIFIED';

/** @throws ConversionIssue */
export function readTemplate(source: JsonObject, report: ReportBuilder): FirebaseTemplate {
  checkMembers(source, templateMembers, 'template', [], report);
  const conditions = objectsIn(source, 'conditions', []).map((condition, index) =>
    readCondition(condition, ['conditions', String(index)], report),
  );
  const names = conditions.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new ConversionIssue(`Two conditions have the name ${repeated}.`);
  const groups: FirebaseGroup[] = [];
  const loose = readParameters(source, [], report);
  if (loose.length > 0) groups.push({ name: null, description: '', parameters: loose });
  for (const [name, group] of Object.entries(objectIn(source, 'parameterGroups', []))) {
    const path = ['parameterGroups', name];
    if (!isObject(group)) throw mustBe(path, 'an object');
    checkMembers(group, groupMembers, name, path, report);
    const parameters = readParameters(group, path, report);
    groups.push({ name, description: descriptionOf(group), parameters });
  }
  rejectRepeatedKeys(groups);
  return { conditions, groups };
}

function rejectRepeatedKeys(groups: readonly FirebaseGroup[]): void {
  const seen = new Set<string>();
  for (const { key } of groups.flatMap(({ parameters }) => parameters)) {
    if (seen.has(key)) throw new ConversionIssue(`The parameter ${key} is in two groups.`);
    seen.add(key);
  }
}

function readCondition(
  source: JsonObject,
  path: readonly string[],
  report: ReportBuilder,
): FirebaseCondition {
  const name = textIn(source, 'name', path);
  checkMembers(source, conditionMembers, name, path, report);
  const { condition } = source;
  const expression = isObject(condition)
    ? readServerCondition(condition)
    : parseExpression(textIn(source, 'expression', path));
  return { name, description: descriptionOf(source), expression, path };
}

function readParameters(
  parent: JsonObject,
  at: readonly string[],
  report: ReportBuilder,
): readonly FirebaseParameter[] {
  return Object.entries(objectIn(parent, 'parameters', at)).map(([key, parameter]) => {
    const path = [...at, 'parameters', key];
    if (!isObject(parameter)) throw mustBe(path, 'an object');
    checkMembers(parameter, parameterMembers, key, path, report);
    const { valueType = 'STRING', defaultValue } = parameter;
    const type = valueType === unspecified ? 'STRING' : valueType;
    if (typeof type !== 'string' || !types.has(type)) {
      throw mustBe([...path, 'valueType'], 'STRING, BOOLEAN, NUMBER or JSON');
    }
    const conditionalValues = objectIn(parameter, 'conditionalValues', path);
    return {
      key,
      description: descriptionOf(parameter),
      type,
      defaultValue,
      conditionalValues,
      path,
    };
  });
}

function descriptionOf({ description }: JsonObject): string {
  return typeof description === 'string' ? description : '';
}
