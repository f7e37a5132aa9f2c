/** Evaluation and preview: what delivery responds, and what an edit would change. */
import { strict as assert } from 'node:assert';
import { parseInstant } from '../../content/mapping/instant.js';
import { evaluateContent } from '../../contract/operations/evaluate.js';
import { previewContent } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import { rawObject } from '../http/body/raw-json.js';
import { rawMembers } from '../http/body/raw-members.js';
import { readBody } from '../http/body/read-body.js';
import { type Handler, handle } from '../http/handlers.js';
import { contentBodyBytesMax, previewContextsBytesMax } from '../limits.js';
import { toIso } from '../to-iso.js';
import { readCandidate } from './candidate-body.js';
import { evaluate } from './evaluate.js';
import { preview } from './preview.js';
import { readPreviewBody } from './preview-body.js';

export const evaluationHandlers: readonly Handler[] = [
  handle(evaluateContent, async ({ params, body, context, request }) => {
    const { id, u, v = null, at } = body;
    const raw = request.rawBody ?? new Uint8Array();
    const candidate = await readCandidate(body, raw, context.limits);
    if (candidate instanceof Problem) return candidate;
    const nowMs = context.now();
    const atMs = at === undefined ? nowMs : (parseInstant(at) ?? nowMs);
    const value = await evaluate(context, {
      environment: params.env,
      id,
      ...candidate,
      // The attributes as they were sent: parsing and writing them again could lose what decides.
      context: rawObject({ u, v }, { p: rawMembers(raw).get('p') ?? '{}' }),
      appVersion: v,
      atMs,
      asOfMs: candidate.edit === null && atMs < nowMs ? atMs : null,
    });
    if (value instanceof Problem) return value;
    const { answer, ...rest } = value;
    return rawObject({ ...rest, at: toIso(atMs) }, { answer: answer ?? 'null' });
  }),

  handle(previewContent, async ({ params, context, request }) => {
    const bytesMax = contentBodyBytesMax(context.limits) + previewContextsBytesMax;
    const whole = await readBody(context.bodies, request.raw, request, bytesMax);
    const body = await readPreviewBody(whole, context.limits);
    if (body instanceof Problem) return body;
    const { at, ...candidate } = body;
    const nowMs = context.now();
    const atMs = at === null ? nowMs : parseInstant(at);
    assert(atMs !== null, 'the time was validated');
    const asOfMs = atMs < nowMs ? atMs : null;
    const environment = params.env;
    const value = await preview(context, { environment, ...candidate, atMs, asOfMs, firstLine: 2 });
    return value instanceof Problem ? value : { ...value, at: toIso(atMs) };
  }),
];
