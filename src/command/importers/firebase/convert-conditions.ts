/** The conditions of a template as saved segments, and what rules need to know of them. */

import { pointerText } from '../../../content/json/pointer-text.js';
import type { ConvertedSegment } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import { segmentName } from '../names.js';
import { type Alternative, alternativesOf } from './alternatives.js';
import { attributeOf } from './elements.js';
import type { Atom } from './expression.js';
import { ExpressionIssue } from './expression.js';
import type { FirebaseCondition } from './read-template.js';

export interface ReadyCondition {
  /** In the template. */
  readonly name: string;
  readonly segment: string;
  /** Whether the segment is saved: it has one alternative, and rules need no condition of their own. */
  readonly isSaved: boolean;
  readonly alternatives: readonly Alternative[];
}

export interface ConvertedConditions {
  /** As in the template: the first one decides. */
  readonly ready: readonly ReadyCondition[];
  readonly segments: readonly ConvertedSegment[];
}

export function convertConditions(
  conditions: readonly FirebaseCondition[],
  report: ReportBuilder,
): ConvertedConditions {
  const ready = conditions.map((condition) => convertCondition(condition, report));
  rejectSharedAttributes(conditions, report);
  const segments = ready.flatMap(({ isSaved, segment, alternatives: [only] }, index) => {
    if (!isSaved || only === undefined) return [];
    const description = conditions[index]?.description ?? '';
    return [{ name: segment, description, when: JSON.stringify(only.when) }];
  });
  return { ready, segments };
}

function convertCondition(condition: FirebaseCondition, report: ReportBuilder): ReadyCondition {
  const { name, expression } = condition;
  const path = pointerText(condition.path);
  const segment = segmentName(name);
  report.renamed('segment', name, segment);
  if (expression instanceof ExpressionIssue) {
    report.add('left-out', name, path, `the condition ${expression.message}; it never holds`);
    return { name, segment, isSaved: false, alternatives: [] };
  }
  const differences = new Set<string>();
  const reasons = new Set<string>();
  const alternatives = alternativesOf(expression, {
    differs: (message) => differences.add(message),
    leftOut: (reason) => reasons.add(reason),
    reads: (atom) => readAttribute(atom, report),
  });
  for (const reason of reasons) {
    const instead =
      alternatives.length > 0
        ? 'the rest of the condition still holds'
        : 'the condition never holds';
    report.add('left-out', name, path, `${reason}; ${instead}`);
  }
  for (const message of differences) report.add('approximated', name, path, message);
  if (reasons.size + differences.size === 0) report.add('exact', name, path, 'condition');
  return { name, segment, isSaved: alternatives.length === 1, alternatives };
}

function readAttribute(atom: Atom, report: ReportBuilder): void {
  const attribute = attributeOf(atom);
  if (attribute === null) {
    report.needs('u', 'id of the player, or of the installation: it decides about shares');
    return;
  }
  report.needs(attribute.sentAs, attribute.meaning);
  if (atom.key !== null) report.renamed('attribute', atom.key, attribute.path);
}

/** A game sends one attribute of a name; Firebase keeps user properties and custom signals apart. */
function rejectSharedAttributes(
  conditions: readonly FirebaseCondition[],
  report: ReportBuilder,
): void {
  const elements = new Map<string, string>();
  for (const { name, expression, path } of conditions) {
    if (expression instanceof ExpressionIssue) continue;
    for (const atom of atomsIn(expression)) {
      const attribute = attributeOf(atom);
      if (attribute === null || atom.key === null) continue;
      const other = elements.get(attribute.path) ?? `${atom.element}['${atom.key}']`;
      const element = `${atom.element}['${atom.key}']`;
      elements.set(attribute.path, other);
      if (other === element) continue;
      const message = `${other} and ${element} are both read from ${attribute.sentAs}`;
      report.add('approximated', name, pointerText(path), message);
    }
  }
}

function atomsIn(expression: Exclude<FirebaseCondition['expression'], ExpressionIssue>): Atom[] {
  switch (expression.kind) {
    case 'atom':
      return [expression.atom];
    case 'constant':
      return [];
    case 'all':
    case 'any':
      return expression.of.flatMap(atomsIn);
  }
}
