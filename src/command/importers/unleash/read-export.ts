/** Features and segments of one environment, out of either form that Unleash publishes. */

import { ConversionIssue } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import { checkMembers, type JsonObject, objectsIn, textIn } from '../source.js';
import {
  clientMembers,
  dependenciesMembers,
  dependencyMembers,
  environmentMembers,
  exportMembers,
  featureMembers,
  segmentMembers,
} from './schema.js';

/** A part of a feature, and where it stands in the export. */
export interface Placed {
  readonly value: JsonObject;
  readonly path: readonly string[];
}

export interface UnleashFeature {
  readonly name: string;
  readonly description: string;
  readonly isEnabled: boolean;
  readonly strategies: readonly Placed[];
  readonly variants: readonly Placed[];
  readonly dependencies: readonly Placed[];
  readonly path: readonly string[];
}

export interface UnleashSegment {
  readonly name: string;
  readonly description: string;
  /** Null: the export has its name alone. */
  readonly constraints: readonly JsonObject[] | null;
  readonly path: readonly string[];
}

export interface UnleashExport {
  readonly features: ReadonlyMap<string, UnleashFeature>;
  /** By id. */
  readonly segments: ReadonlyMap<number, UnleashSegment>;
}

/** Formats of what SDKs load that this converter follows. */
const versionMax = 2;

/** @throws ConversionIssue */
export function readUnleash(source: JsonObject, report: ReportBuilder): UnleashExport {
  if (!Array.isArray(source['features'])) {
    throw new ConversionIssue('It has no list of features: it is no export of Unleash.');
  }
  const isExport = 'featureStrategies' in source;
  const { version } = source;
  if (!isExport && typeof version === 'number' && version > versionMax) {
    throw new ConversionIssue(
      `Its format is version ${version}; this converter knows up to ${versionMax}.`,
    );
  }
  checkMembers(source, isExport ? exportMembers : clientMembers, 'export', [], report);
  const features = objectsIn(source, 'features', []).flatMap((feature, index) => {
    const path = ['features', String(index)];
    const name = textIn(feature, 'name', path);
    checkMembers(feature, featureMembers, name, path, report);
    if (feature['archived'] === true) {
      report.add('no-effect', name, `/${path.join('/')}`, 'archived features are not delivered');
      return [];
    }
    const { description } = feature;
    const parts = isExport ? partsOf(source, name, report) : clientParts(feature, path);
    return [
      { name, description: typeof description === 'string' ? description : '', ...parts, path },
    ];
  });
  const named = new Map(features.map((feature) => [feature.name, feature]));
  if (named.size < features.length) throw new ConversionIssue('Two features have the same name.');
  if (named.size === 0) throw new ConversionIssue('It has no features.');
  for (const { name, dependencies } of features) {
    for (const { value, path } of dependencies) {
      checkMembers(value, dependencyMembers, name, path, report);
    }
  }
  return { features: named, segments: readSegments(source, report) };
}

type Parts = Pick<UnleashFeature, 'isEnabled' | 'strategies' | 'variants' | 'dependencies'>;

function clientParts(feature: JsonObject, path: readonly string[]): Parts {
  return {
    isEnabled: feature['enabled'] === true,
    strategies: placedIn(feature, 'strategies', path),
    variants: placedIn(feature, 'variants', path),
    dependencies: placedIn(feature, 'dependencies', path),
  };
}

/** The export lists what belongs to a feature apart from it. */
function partsOf(source: JsonObject, name: string, report: ReportBuilder): Parts {
  const own = (list: string, key: string): Placed[] =>
    placedIn(source, list, []).filter(({ value }) => value[key] === name);
  const environments = own('featureEnvironments', 'featureName');
  const [environment, another] = environments;
  if (another !== undefined) {
    throw new ConversionIssue(`The feature ${name} has several environments: export one.`);
  }
  const { value, path } = environment ?? { value: {}, path: ['featureEnvironments'] };
  checkMembers(value, environmentMembers, name, path, report);
  const order = ({ value }: Placed): number => Number(value['sortOrder'] ?? 0);
  const strategies = own('featureStrategies', 'featureName').toSorted(
    (a, b) => order(a) - order(b),
  );
  const dependencies = own('dependencies', 'feature').flatMap((each) => {
    checkMembers(each.value, dependenciesMembers, name, each.path, report);
    return placedIn(each.value, 'dependencies', each.path);
  });
  const variants = placedIn(value, 'variants', path);
  return { isEnabled: value['enabled'] === true, strategies, variants, dependencies };
}

export function placedIn(parent: JsonObject, name: string, path: readonly string[]): Placed[] {
  return objectsIn(parent, name, path).map((value, index) => {
    return { value, path: [...path, name, String(index)] };
  });
}

function readSegments(source: JsonObject, report: ReportBuilder): Map<number, UnleashSegment> {
  return new Map(
    objectsIn(source, 'segments', []).map((segment, index) => {
      const path = ['segments', String(index)];
      const { id, name, description } = segment;
      const known = typeof name === 'string' ? name : `segment ${String(id)}`;
      checkMembers(segment, segmentMembers, known, path, report);
      const constraints = 'constraints' in segment ? objectsIn(segment, 'constraints', path) : null;
      const text = typeof description === 'string' ? description : '';
      return [Number(id), { name: known, description: text, constraints, path }];
    }),
  );
}
