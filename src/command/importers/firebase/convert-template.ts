/**
 * Firebase Remote Config templates. Each parameter group becomes a content item with its parameters as members, and so do the
 * parameters without a group; conditions become saved segments.
 *
 * Firebase takes the first condition of the list that holds and for which a parameter has a value. Rules here all apply, each on
 * the result of those before: in the reverse order, the first condition of the list has the last word on each parameter.
 */

import { pointerText } from '../../../content/json/pointer-text.js';
import { mappingRulesMax, saltLengthMax } from '../../../content/mapping/mapping-limits.js';
import {
  type Conversion,
  ConversionIssue,
  type ConversionOptions,
  type ConvertedContent,
} from '../conversion.js';
import { ReportBuilder } from '../conversion-report.js';
import { ContentIds } from '../names.js';
import {
  type ContentMember,
  contentText,
  type MemberChange,
  mappingText,
  type RuleParts,
} from '../rule-text.js';
import { checkMembers, isObject, parseSource } from '../source.js';
import type { Alternative } from './alternatives.js';
import { convertConditions, type ReadyCondition } from './convert-conditions.js';
import { type FirebaseGroup, type FirebaseParameter, readTemplate } from './read-template.js';
import { rolloutMembers, valueMembers } from './schema.js';
import { type FirebaseValue, readValue } from './values.js';

const defaultContent = 'remote-config';

/** @throws ConversionIssue */
export function convertFirebase(text: string, options: ConversionOptions): Conversion {
  const source = parseSource(text);
  if (!('parameters' in source) && !('parameterGroups' in source) && !('conditions' in source)) {
    throw new ConversionIssue(
      'It has neither parameters nor conditions: it is no Remote Config template.',
    );
  }
  const report = new ReportBuilder();
  const template = readTemplate(source, report);
  if (template.groups.length === 0) throw new ConversionIssue('It has no parameters.');
  const { ready, segments } = convertConditions(template.conditions, report);
  const ids = new ContentIds();
  const contents = template.groups.map((group) => {
    const name = group.name ?? options.content ?? defaultContent;
    const id = ids.take(name);
    report.renamed('content', name, id);
    return new GroupConverter(group, ready, report).convert(id);
  });
  return { contents, segments, report: report.finish('firebase') };
}

/** What a condition changes, for the parameters of one group. */
interface Changes {
  readonly plain: MemberChange[];
  readonly rollouts: {
    readonly id: string;
    readonly percent: number;
    readonly change: MemberChange;
  }[];
}

class GroupConverter {
  readonly #group: FirebaseGroup;
  readonly #conditions: readonly ReadyCondition[];
  readonly #report: ReportBuilder;
  readonly #changes = new Map<string, Changes>();

  constructor(group: FirebaseGroup, conditions: readonly ReadyCondition[], report: ReportBuilder) {
    this.#group = group;
    this.#conditions = conditions;
    this.#report = report;
    for (const { name } of conditions) this.#changes.set(name, { plain: [], rollouts: [] });
  }

  convert(id: string): ConvertedContent {
    const members = this.#group.parameters.flatMap((parameter) => this.#member(parameter));
    const rules = this.#conditions.toReversed().flatMap((condition) => this.#rules(condition));
    if (rules.length > mappingRulesMax) {
      throw new ConversionIssue(
        `${this.#group.name ?? id} needs ${rules.length} rules, and a content item takes ${mappingRulesMax}: divide its parameters into groups.`,
      );
    }
    const { description } = this.#group;
    return { id, description, text: contentText(members), mapping: mappingText(rules) };
  }

  /** None where Firebase sends no value by default. */
  #member(parameter: FirebaseParameter): ContentMember[] {
    const { key, path, defaultValue, conditionalValues, description } = parameter;
    const found = new Set<string>();
    for (const [name, value] of Object.entries(conditionalValues)) {
      this.#conditional(parameter, name, value, found);
    }
    if (defaultValue === undefined || defaultValue === null) {
      found.add('there is no default value: the game uses its own');
    }
    const value = this.#read(parameter, defaultValue, [...path, 'defaultValue']);
    if (found.size === 0) this.#report.add('exact', key, pointerText(path), 'parameter');
    if (value === null) return [];
    if (value.kind === 'explicit') return [{ name: key, json: value.json, description }];
    if (value.kind === 'in-app') return [];
    this.#leftOut(
      key,
      [...path, 'defaultValue'],
      `${wordsOf(value)} gives the default value; players get the default of the game`,
    );
    return [];
  }

  #conditional(
    parameter: FirebaseParameter,
    name: string,
    source: unknown,
    found: Set<string>,
  ): void {
    const { key } = parameter;
    const path = [...parameter.path, 'conditionalValues', name];
    const changes = this.#changes.get(name);
    const value = this.#read(parameter, source, path);
    if (changes === undefined) {
      found.add(name);
      this.#leftOut(key, path, `there is no condition ${name}; the value never applies`);
    } else if (value?.kind === 'explicit') {
      changes.plain.push({ name: key, json: value.json });
    } else if (value?.kind === 'in-app') {
      changes.plain.push({ name: key, json: null });
    } else if (value?.kind === 'rollout') {
      found.add(name);
      changes.rollouts.push({
        id: value.id,
        percent: value.percent,
        change: { name: key, json: value.json },
      });
    } else if (value?.kind === 'managed') {
      found.add(name);
      this.#leftOut(
        key,
        path,
        `${wordsOf(value)} gives the value; players get the value of the next condition, or the default`,
      );
    }
  }

  /** Null: there is none, or none that the schema has, which is reported. */
  #read(
    parameter: FirebaseParameter,
    source: unknown,
    path: readonly string[],
  ): FirebaseValue | null {
    if (source === undefined || source === null) return null;
    const { key, type } = parameter;
    if (isObject(source)) checkMembers(source, valueMembers, key, path, this.#report);
    if (isObject(source) && isObject(source['rolloutValue'])) {
      const at = [...path, 'rolloutValue'];
      checkMembers(source['rolloutValue'], rolloutMembers, key, at, this.#report);
    }
    const value = readValue(source, type);
    if (value === null) this.#leftOut(key, path, 'it is no value of the schema; it never applies');
    else if ('misfit' in value && value.misfit !== null) {
      this.#report.add('approximated', key, pointerText(path), value.misfit);
    }
    return value;
  }

  #rules(condition: ReadyCondition): RuleParts[] {
    const { plain, rollouts } = this.#changes.get(condition.name) ?? { plain: [], rollouts: [] };
    return condition.alternatives.flatMap((alternative) => {
      const rules: RuleParts[] = [];
      if (plain.length > 0) rules.push(ruleOf(condition, alternative, plain));
      for (const { id, percent, change } of rollouts) {
        const rule = this.#rollout(condition, alternative, id, percent, change);
        if (rule !== null) rules.push(rule);
      }
      return rules;
    });
  }

  #rollout(
    condition: ReadyCondition,
    alternative: Alternative,
    id: string,
    percent: number,
    change: MemberChange,
  ): RuleParts | null {
    const path = this.#group.parameters.find(({ key }) => key === change.name)?.path ?? [];
    const place = [...path, 'conditionalValues', condition.name];
    if (alternative.shares.size > 0) {
      this.#leftOut(
        change.name,
        place,
        `the rollout ${id} divides the players of a share, and a rule has one salt; players get the value of the next condition, or the default`,
      );
      return null;
    }
    const last = Math.min(999, Math.round(percent * 10) - 1);
    const message = `the rollout ${id} gives it to ${percent} % of the players, but to others: the hash is another; Firebase no longer measures it`;
    this.#report.add('approximated', change.name, pointerText(place), message);
    this.#report.needs('u', 'id of the player, or of the installation: it decides about shares');
    if (last < 0) return null;
    const share: Alternative = {
      ...alternative,
      shares: new Map([[id.slice(0, saltLengthMax), [0, last]]]),
    };
    return ruleOf(condition, share, [change]);
  }

  #leftOut(name: string, path: readonly string[], message: string): void {
    this.#report.add('left-out', name, pointerText(path), message);
  }
}

function wordsOf(value: FirebaseValue): string {
  if (value.kind === 'managed') return value.what;
  return value.kind === 'rollout' ? `the rollout ${value.id}` : 'Firebase';
}

function ruleOf(
  { segment, isSaved }: ReadyCondition,
  { when, fromMs, untilMs, shares }: Alternative,
  changes: readonly MemberChange[],
): RuleParts {
  const rule = { segment, when: isSaved ? null : when, fromMs, untilMs };
  const [share] = shares;
  if (share === undefined) return { ...rule, changes };
  const [salt, groups] = share;
  return { ...rule, salt, variants: [{ name: 'in', groups, changes }] };
}
