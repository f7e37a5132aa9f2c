/** What requests of one environment carry, as far as the environment keeps it: names of attributes, values, a sample of contexts. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { TrafficKept } from '../../content/traffic-kept.js';
import type { SeenTraffic } from '../../published/traffic.js';
import { AttributeSketch } from './attribute-sketch.js';
import { ContextSample } from './context-sample.js';
import { ValueSketch } from './value-sketch.js';

export class TrafficSketch {
  readonly #names = new AttributeSketch();
  #values: ValueSketch | null = null;
  #contexts: ContextSample | null = null;

  /** Runs per request: most are only counted. */
  note(caller: EvaluationContext, kept: TrafficKept): void {
    const requests = this.#names.note(caller.p);
    if (requests === 0 || kept === 'names') return;
    this.#values ??= new ValueSketch();
    this.#values.add(caller);
    if (kept !== 'contexts') return;
    this.#contexts ??= new ContextSample();
    this.#contexts.add(caller, requests);
  }

  /** What was seen since this was asked last; what is not kept any more is forgotten. */
  take(kept: TrafficKept): Omit<SeenTraffic, 'environment'> {
    if (kept === 'names') this.#values = null;
    if (kept !== 'contexts') this.#contexts = null;
    return {
      names: this.#names.take(),
      values: this.#values?.take() ?? [],
      sampled: this.#contexts?.take() ?? null,
    };
  }
}
