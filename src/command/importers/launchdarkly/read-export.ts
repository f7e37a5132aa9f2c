/** Flags and segments of one environment, out of either form that LaunchDarkly publishes. */

import { ConversionIssue } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import {
  checkMembers,
  isObject,
  type JsonObject,
  mustBe,
  objectIn,
  objectsIn,
  type Source,
  textIn,
} from '../source.js';
import {
  configMembers,
  fileMembers,
  flagMembers,
  restFlagMembers,
  segmentMembers,
  variationMembers,
} from './schema.js';

export interface LaunchDarklyFlag {
  readonly key: string;
  readonly description: string;
  /** The flag in the environment: on, rules and what they serve. */
  readonly config: JsonObject;
  readonly path: readonly string[];
  /** JSON texts. */
  readonly variations: readonly string[];
}

export interface LaunchDarklySegment {
  readonly key: string;
  readonly description: string;
  readonly segment: JsonObject;
  readonly path: readonly string[];
}

export interface LaunchDarklyExport {
  readonly flags: ReadonlyMap<string, LaunchDarklyFlag>;
  readonly segments: ReadonlyMap<string, LaunchDarklySegment>;
}

/** @throws ConversionIssue */
export function readExport(
  source: Source,
  environment: string | null,
  report: ReportBuilder,
): LaunchDarklyExport {
  const { value } = source;
  const isList = Array.isArray(value['items']);
  const list = isList ? value : objectIn(value, 'flags', []);
  if (!isList) checkMembers(value, fileMembers, 'export', [], report);
  if (!isList && !('flags' in value) && !('flagValues' in value)) {
    throw new ConversionIssue('It has no flags: it is no export of LaunchDarkly.');
  }
  const at = isList ? [] : ['flags'];
  const flags = Array.isArray(list['items'])
    ? restFlags(source, list, at, environment, report)
    : sdkFlags(source, list, report);
  for (const key of Object.keys(objectIn(value, 'flagValues', []))) {
    const path = ['flagValues', key];
    const config = { on: true, fallthrough: { variation: 0 } };
    flags.push({ key, description: '', config, path, variations: [source.textAt(path)] });
  }
  const keyed = new Map(flags.map((flag) => [flag.key, flag]));
  if (keyed.size < flags.length) throw new ConversionIssue('Two flags have the same key.');
  if (keyed.size === 0) throw new ConversionIssue('It has no flags.');
  return { flags: keyed, segments: readSegments(value, report) };
}

function sdkFlags(source: Source, list: JsonObject, report: ReportBuilder): LaunchDarklyFlag[] {
  return Object.entries(list).map(([key, config]) => {
    const path = ['flags', key];
    if (!isObject(config)) throw mustBe(path, 'an object');
    checkMembers(config, flagMembers, key, path, report);
    const { variations = [] } = config;
    if (!Array.isArray(variations)) throw mustBe([...path, 'variations'], 'a list');
    const texts = variations.map((_, index) =>
      source.textAt([...path, 'variations', String(index)]),
    );
    return { key, description: '', config, path, variations: texts };
  });
}

function restFlags(
  source: Source,
  list: JsonObject,
  at: readonly string[],
  environment: string | null,
  report: ReportBuilder,
): LaunchDarklyFlag[] {
  const items = objectsIn(list, 'items', at);
  rejectPage(list, items.length, 'flags');
  return items.flatMap((item, index) => {
    const place = [...at, 'items', String(index)];
    const key = textIn(item, 'key', place);
    checkMembers(item, restFlagMembers, key, place, report);
    if (item['archived'] === true) {
      report.add('no-effect', key, `/${place.join('/')}`, 'archived flags are not delivered');
      return [];
    }
    const name = environmentOf(objectIn(item, 'environments', place), environment, key);
    const path = [...place, 'environments', name];
    const config = objectIn(objectIn(item, 'environments', place), name, place);
    checkMembers(config, configMembers, key, path, report);
    const variations = objectsIn(item, 'variations', place).map((variation, at) => {
      const path = [...place, 'variations', String(at)];
      checkMembers(variation, variationMembers, key, path, report);
      return source.textAt([...path, 'value']);
    });
    const description = textOr(item, 'description') || textOr(item, 'name');
    return [{ key, description, config, path, variations }];
  });
}

function environmentOf(environments: JsonObject, wanted: string | null, flag: string): string {
  const names = Object.keys(environments);
  if (wanted !== null && names.includes(wanted)) return wanted;
  const [only] = names;
  if (only === undefined) {
    throw new ConversionIssue(
      `The flag ${flag} has no environments: the request for it needs env=KEY and summary=0.`,
    );
  }
  if (wanted === null && names.length === 1) return only;
  throw new ConversionIssue(`Choose an environment with --from-env: ${names.join(', ')}.`);
}

/** The API gives 20 flags at a time unless it is asked for more. */
function rejectPage({ totalCount }: JsonObject, count: number, what: string): void {
  if (typeof totalCount !== 'number' || totalCount <= count) return;
  throw new ConversionIssue(
    `It has ${count} of ${totalCount} ${what}: fetch all pages into one list.`,
  );
}

function readSegments(value: JsonObject, report: ReportBuilder): Map<string, LaunchDarklySegment> {
  const list = objectIn(value, 'segments', []);
  const isRest = Array.isArray(list['items']);
  const found: [readonly string[], unknown][] = isRest
    ? objectsIn(list, 'items', ['segments']).map((item, index) => [
        ['segments', 'items', String(index)],
        item,
      ])
    : Object.entries(list).map(([key, segment]) => [['segments', key], segment]);
  if (isRest) rejectPage(list, found.length, 'segments');
  return new Map(
    found.map(([path, segment]) => {
      if (!isObject(segment)) throw mustBe(path, 'an object');
      const key = textOr(segment, 'key') || (path.at(-1) ?? '');
      checkMembers(segment, segmentMembers, key, path, report);
      const description = textOr(segment, 'description') || textOr(segment, 'name');
      return [key, { key, description, segment, path }];
    }),
  );
}

function textOr(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}
