/** Variants of a feature or strategy as values: an object with the variant's name and its payload in the payload's type. */

import { pointerText } from '../../../content/json/pointer-text.js';
import type { ReportBuilder } from '../conversion-report.js';
import { checkMembers, isObject, type JsonObject } from '../source.js';
import type { Placed } from './read-export.js';
import { variantMembers } from './schema.js';

export interface FeatureVariant {
  readonly name: string;
  readonly weight: number;
  /** JSON text. */
  readonly json: string;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @param leftOut takes what is left out, and where */
export function variantsOf(
  variants: readonly Placed[],
  feature: string,
  report: ReportBuilder,
  leftOut: (path: readonly string[], message: string) => void,
): readonly FeatureVariant[] {
  return variants.map(({ value: variant, path: at }, index) => {
    checkMembers(variant, variantMembers, feature, at, report);
    const { weight, overrides, payload } = variant;
    const name = typeof variant['name'] === 'string' ? variant['name'] : `variant ${index}`;
    if (Array.isArray(overrides) && overrides.length > 0) {
      leftOut(
        [...at, 'overrides'],
        'overrides are not carried over; their players get the variant of their share',
      );
    }
    const members = [`"enabled":true`, `"variant":${JSON.stringify(name)}`];
    if (isObject(payload)) members.push(`"payload":${payloadText(payload, feature, at, report)}`);
    return { name, weight: Number(weight) || 0, json: `{${members.join(',')}}` };
  });
}

function payloadText(
  { type, value }: JsonObject,
  feature: string,
  path: readonly string[],
  report: ReportBuilder,
): string {
  const text = String(value ?? '');
  const place = pointerText([...path, 'payload']);
  if (type === 'number' && jsonNumber.test(text.trim())) return text.trim();
  if (type === 'json' && isJson(text)) return text;
  if (type === 'number' || type === 'json') {
    report.add('approximated', feature, place, `the payload is no ${type}, so it stays a text`);
  }
  return JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
