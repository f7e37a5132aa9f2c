/** The steps of a scenario, as its file has them: a command of the driver, an edit, a fault or an expectation. */
import { z } from 'zod';
import { faultSchema, injectionSchema, targetSchema } from './fault.js';

const anything = z.unknown();
const members = z.record(z.string(), anything);
const done = z.literal(true);
const name = z.string().regex(/^[a-z][A-Za-z]*$/);

/** Members of a result that must be as they are here; the others do not matter. */
const expect = { expect: members.optional() };
/** A call that is begun only: `await` with the same name waits for its result. */
const call = { begin: name.optional() };

const contentSchema = z.strictObject({
  text: anything.optional(),
  /** So many characters more, in a member `pad` of a text that is an object. */
  pad: z.int().min(1).optional(),
  mapping: z.array(anything).optional(),
  lines: z.array(z.strictObject({ appVersion: z.string(), text: anything })).optional(),
});
/** By content id. */
export const contentsSchema = z.record(z.string(), contentSchema);
export type Contents = z.output<typeof contentsSchema>;

const requestSchema = {
  header: z.record(z.string(), z.string().nullable()).optional(),
  body: members.optional(),
};

const optionsSchema = z.strictObject({
  user: z.string().optional(),
  attributes: members.optional(),
  appVersion: z.string().optional(),
  ids: z.array(z.string()).optional(),
  baseline: z.string().optional(),
  updates: z.enum(['stream', 'poll', 'none']).optional(),
  pollSeconds: z.number().optional(),
  autoActivate: z.boolean().optional(),
  consentRequired: z.boolean().optional(),
  key: z.string().optional(),
  url: z.string().optional(),
  storage: z.null().optional(),
});

/** Of an item of the storage: of the player that the last `create` or `setUser` named, if `user` is absent. */
const item = { user: z.string().optional() };
export const itemNames = ['index', 'state', '0', '1', 'events'] as const;
const itemName = z.enum(itemNames);

const nested = z.lazy((): z.ZodType<Step> => stepSchema);

/** By the member that names the step. */
export const stepSchemas = {
  create: z.strictObject({
    create: optionsSchema,
    wallMs: z.string().default('$now'),
    random: z.number().optional(),
    seed: z.int().optional(),
    fails: done.optional(),
  }),
  start: z.strictObject({ start: z.int(), as: name.optional(), ...call, ...expect }),
  get: z.strictObject({
    get: z.tuple([z.string(), z.string(), anything]),
    type: z.enum(['boolean', 'integer', 'double', 'string', 'json']).optional(),
    value: anything.optional(),
    text: z.string().optional(),
    source: z.enum(['server', 'cache', 'baseline', 'default']).optional(),
    isPastChange: z.boolean().optional(),
  }),
  activate: z.strictObject({ activate: done, expect: z.boolean().optional() }),
  ready: z.strictObject({ ready: done }),
  refresh: z.strictObject({
    refresh: done,
    ...call,
    expect: z.enum(['changed', 'unchanged', 'failed']).optional(),
  }),
  setUser: z.strictObject({ setUser: z.string(), waitMs: z.int(), ...call, ...expect }),
  setContext: z.strictObject({ setContext: anything }),
  expose: z.strictObject({ expose: z.string() }),
  track: z.strictObject({ track: z.tuple([z.string(), z.number()]) }),
  setConsent: z.strictObject({ setConsent: z.boolean() }),
  flush: z.strictObject({ flush: done, ...call }),
  suspend: z.strictObject({ suspend: done }),
  resume: z.strictObject({ resume: done }),
  stop: z.strictObject({ stop: done }),
  await: z.strictObject({ await: name, expect: z.union([z.string(), members]).optional() }),
  watched: z.strictObject({ watched: z.array(members) }),
  logged: z.strictObject({ logged: z.array(z.string()), anyTimes: done.optional() }),
  advance: z.strictObject({ advance: z.int().min(0), patient: z.boolean().optional() }),
  idle: z.strictObject({ idle: done }),
  setWall: z.strictObject({ setWall: z.int() }),
  throwInListeners: z.strictObject({ throwInListeners: z.boolean() }),
  failStorage: z.strictObject({ failStorage: z.boolean() }),
  items: z.strictObject({ items: z.array(z.string()) }),
  hasItem: z.strictObject({ hasItem: itemName, ...item, expect: z.boolean() }),
  readItem: z.strictObject({
    readItem: itemName,
    ...item,
    as: name.optional(),
    contains: z.string().optional(),
    lacks: z.string().optional(),
  }),
  writeItem: z.strictObject({ writeItem: itemName, ...item, text: z.string().nullable() }),
  corruptItem: z.strictObject({
    /** A list: the one of them whose text contains `holding`. */
    corruptItem: z.union([itemName, z.array(itemName)]),
    holding: z.string().optional(),
    ...item,
    at: z.int().optional(),
    xor: z.int().min(1).max(255).optional(),
    length: z.int().min(0).optional(),
  }),
  kill: z.strictObject({ kill: done }),
  edit: z.strictObject({ edit: contentsSchema, as: name.optional() }),
  remove: z.strictObject({ remove: z.string(), as: name.optional() }),
  rollback: z.strictObject({ rollback: z.string(), revision: z.int().min(1), as: name.optional() }),
  segment: z.strictObject({ segment: z.string(), when: anything, as: name.optional() }),
  metric: z.strictObject({ metric: z.string() }),
  revokeKey: z.strictObject({ revokeKey: done }),
  baseline: z.strictObject({ baseline: name, appVersion: z.string().optional() }),
  instant: z.strictObject({ instant: name }),
  fault: z.strictObject({ fault: z.union([z.strictObject({ clear: done }), faultSchema]) }),
  inject: z.strictObject({ inject: injectionSchema }),
  release: z.strictObject({ release: done }),
  cutStreams: z.strictObject({ cutStreams: done }),
  openStreams: z.strictObject({ openStreams: z.int().min(0) }),
  streamText: z.strictObject({ streamText: z.string() }),
  requests: z.strictObject({
    requests: z.strictObject({
      on: targetSchema.default('any'),
      count: z.int().min(0).optional(),
      countMax: z.int().min(0).optional(),
      at: z.int().optional(),
      bytesMax: z.int().optional(),
      ...requestSchema,
    }),
  }),
  reported: z.strictObject({
    reported: z.strictObject({ taken: z.int().min(0), rejected: z.array(z.string()) }),
  }),
  until: z.strictObject({
    until: z.union([nested, z.array(nested)]),
    timesMax: z.int().min(1).optional(),
  }),
  repeat: z.strictObject({ repeat: z.int().min(2).max(1_100), steps: z.array(nested).min(1) }),
};

export type StepKind = keyof typeof stepSchemas;
export type StepOf<K extends StepKind> = z.output<(typeof stepSchemas)[K]>;

/** A step that was read from a file: `step` has the shape of its kind. */
export interface Step {
  readonly kind: StepKind;
  readonly step: unknown;
}

const isKind = (key: string): key is StepKind => Object.hasOwn(stepSchemas, key);

/** Of a step's members, the first that names a kind decides. */
export const stepSchema: z.ZodType<Step> = members.transform((value, context) => {
  const kind = Object.keys(value).find(isKind);
  const parsed = kind === undefined ? undefined : stepSchemas[kind].safeParse(value);
  if (kind !== undefined && parsed?.success) return { kind, step: parsed.data };
  const message =
    parsed === undefined
      ? `${JSON.stringify(value)} is no step`
      : `${kind}: ${z.prettifyError(parsed.error as z.ZodError)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
