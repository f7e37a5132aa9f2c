/** Says whether layer and holdout admit a caller to a rule, in sentences. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { type Admission, admissionTo, type Layers } from '../../content/layers.js';
import type { Rule } from '../../content/mapping/mapping.js';
import type { RuleResult } from '../../contract/schemas/rule-result.js';

export interface ExplainedLayers {
  /** Null: they admit the caller. */
  readonly rejected: Exclude<Admission, 'admitted'> | null;
  /** '' where there is nothing to say; else with a space at the end. */
  readonly reason: string;
  readonly layer: RuleResult['layer'];
}

export function explainLayers(
  rule: Rule,
  layers: Layers,
  caller: EvaluationContext,
): ExplainedLayers {
  const admission = admissionTo(rule, layers, caller);
  const layer = layerOf(rule, layers, caller);
  const reason = reasonOf(admission, layer, layers, caller);
  return { rejected: admission === 'admitted' ? null : admission, reason, layer };
}

function layerOf(
  { layer: name, slice }: Rule,
  { layers }: Layers,
  caller: EvaluationContext,
): RuleResult['layer'] {
  if (name === null || slice === null) return null;
  const layer = layers.find((one) => one.name === name);
  const isDrawn = layer !== undefined && caller.u !== '';
  return { name, slice, bucket: isDrawn ? caller.bucketUnder(layer.salt) : null };
}

function reasonOf(
  admission: Admission,
  layer: RuleResult['layer'],
  { holdout }: Layers,
  caller: EvaluationContext,
): string {
  const slice = layer === null ? '' : `${layer.slice[0]} to ${layer.slice[1]}`;
  switch (admission) {
    case 'layer_missing':
      return `The environment has no layer "${layer?.name}".`;
    case 'no_user_id':
      return `It takes users of the layer "${layer?.name}", and a caller without a user id is in no layer.`;
    case 'outside_slice':
      return `It takes the buckets ${slice} of the layer "${layer?.name}", and the user has ${layer?.bucket}.`;
    case 'held_out':
      return `The user is held out: the bucket ${bucketIn(holdout?.salt, caller)} is in ${holdout?.groups.join(' to ')}.`;
    case 'admitted':
      return layer === null
        ? ''
        : `The bucket ${layer.bucket} of the layer "${layer.name}" is in its slice, ${slice}. `;
  }
}

function bucketIn(salt: string | undefined, caller: EvaluationContext): number {
  return caller.bucketUnder(salt ?? '');
}
