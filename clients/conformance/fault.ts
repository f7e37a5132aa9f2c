/** What a fault proxy does to a request, as a scenario says it. */
import { z } from 'zod';

/** What a request is for, by its path; `elsewhere`: a path that no kit has a reason to ask for. */
export const targets = ['refresh', 'stream', 'events', 'receipts', 'elsewhere'] as const;
export type Target = (typeof targets)[number];

export const targetSchema = z.enum([...targets, 'any']);

const count = z.int().min(0);
const headersSchema = z.record(z.string(), z.string().nullable());

/** Which requests a fault hits: all of a target, or `count` of them after `after` others. */
const hits = { on: targetSchema, count: count.optional(), after: count.default(0) };

const fault = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.strictObject({ ...hits, kind: z.literal(kind), ...shape });

export const faultSchema = z.discriminatedUnion('kind', [
  fault('refuse', {}),
  fault('cut', { bytes: count }),
  fault('truncate', { bytes: count }),
  fault('stall', { bytes: count }),
  fault('slow', { bytes: count.min(1) }),
  fault('corrupt', { at: z.union([count, z.string().min(1)]) }),
  fault('hold', {}),
  fault('status', {
    status: z.int().min(200).max(599),
    headers: headersSchema.default({}),
    body: z.unknown().optional(),
    padTo: count.optional(),
  }),
  fault('header', { headers: headersSchema }),
  fault('raw', { text: z.string() }),
  fault('clock', { ms: z.int() }),
]);

export type Fault = z.output<typeof faultSchema>;

export const injectionSchema = z.strictObject({
  on: z.enum(['refresh', 'stream', 'any']),
  members: z.record(z.string(), z.unknown()),
});

/** What every JSON response or event of a target has besides, or in the place of the server's. */
export type Injection = z.output<typeof injectionSchema>;

/** The faults of one proxy, in the order in which they came. */
export class FaultList {
  #faults: { readonly fault: Fault; seen: number }[] = [];

  add(fault: Fault): void {
    this.#faults.push({ fault, seen: 0 });
  }

  /** Ends those of one kind, or all. */
  clear(kind?: Fault['kind']): void {
    this.#faults = this.#faults.filter(({ fault }) => kind !== undefined && fault.kind !== kind);
  }

  /** The first that applies to a request which has just come, or null. */
  next(target: Target): Fault | null {
    for (const entry of this.#faults) {
      const { fault } = entry;
      if (fault.on !== 'any' && fault.on !== target) continue;
      const end = fault.count === undefined ? Infinity : fault.after + fault.count;
      if (entry.seen >= end) continue;
      entry.seen += 1;
      if (entry.seen > fault.after) return fault;
    }
    return null;
  }
}
