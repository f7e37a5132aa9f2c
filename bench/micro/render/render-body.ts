/** Delivery's own rendering, as its front end and its pool do it, with or without the addon. */
import { importFrom, importMakeContext } from '../../build.js';
import { Skipped, type Work } from '../contender.js';
import type { Wanted } from './question.js';

export async function renderWith(
  native: 'on' | 'off',
  { content, context, form }: Wanted,
  root: string,
): Promise<Work<Uint8Array> | Skipped> {
  type DocumentWork = typeof import('../../../src/delivery/render/document-work.js');
  type BodyRenderer = typeof import('../../../src/delivery/render/body-renderer.js');
  type Task = typeof import('../../../src/delivery/render/render-task.js');
  type Mapping = typeof import('../../../src/content/mapping/mapping.js');
  type Plan = typeof import('../../../src/content/content-plan.js');
  const { parseMapping } = await importFrom<Mapping>(root, 'content/mapping/mapping.js');
  const { ContentPlan } = await importFrom<Plan>(root, 'content/content-plan.js');
  const makeEvaluationContext = await importMakeContext(root);
  const { chooseDocumentWork } = await importFrom<DocumentWork>(root, 'delivery/document-work.js');
  const { renderBody } = await importFrom<BodyRenderer>(root, 'delivery/body-renderer.js');
  const { Coding, Form } = await importFrom<Task>(root, 'delivery/render-task.js');

  const mapping = parseMapping(Buffer.from(JSON.stringify(content.rules)));
  if (!mapping.ok) throw new Error('The mapping does not parse.');
  const plan = new ContentPlan('game', [], mapping.rules, () => undefined);
  const { mutations } = plan.select(
    makeEvaluationContext(context.u, context.p, context.v),
    Date.UTC(2026, 0),
  )!;
  let work: ReturnType<typeof chooseDocumentWork>;
  try {
    work = chooseDocumentWork(native);
  } catch (error) {
    return new Skipped((error as Error).message);
  }
  const document = work.index(Buffer.from(JSON.stringify(content.value)));
  const task = {
    bodyDigest: '',
    // Builds that cached the hash with the body want it here.
    hash: content.hash,
    mappingDigest: '',
    choices: [],
    form: form === 'serialized' ? Form.Serialized : Form.Wrapped,
    coding: Coding.Identity,
    tailRoom: 512,
  };
  return () => {
    const { raw, rawLength } = renderBody(work, task, document, mutations);
    if (raw === null) throw new Error('What is not compressed has its bytes.');
    return raw.subarray(0, rawLength);
  };
}
