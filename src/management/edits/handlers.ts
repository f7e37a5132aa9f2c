/** An edit of many content items: tried out, or carried out in one transaction. */
import { editContents } from '../../contract/operations/contents/content-edits.js';
import { Problem } from '../../contract/problems.js';
import { confirmationJson, confirmRequestOf } from '../guards/confirmation.js';
import { actorOf, commit } from '../http/commit.js';
import { type Call, type Handler, handle } from '../http/handlers.js';
import { syncTriesMax } from '../limits/transfer.js';
import { TextStage } from '../transfer/reading/text-stage.js';
import { applyEdit, rejectItems } from './apply-edit.js';
import { type CheckDeps, type CheckedEdit, foundInEdit, planChecked } from './check-edit.js';
import { type EditRequest, readEditRequest } from './edit-request.js';
import { type EditReport, reportEdit } from './report-edit.js';

type EditCall = Call<typeof editContents>;

export const editHandlers: readonly Handler[] = [
  handle(editContents, async (call) => {
    const { params, query, body, context, request } = call;
    const confirm = confirmRequestOf(body, query);
    const edit = readEditRequest(params.env, body, request.rawBody, confirm);
    if (edit instanceof Problem) return edit;
    request.rawBody = null;
    const { store, work, limits, checks } = context;
    const deps = { work, limits, checks, actor: actorOf(request) };
    const { value, sequence } = body.dryRun
      ? { value: await previewEdit(call, deps, edit), sequence: await store.sequence() }
      : await carryOut(call, deps, edit);
    if (value instanceof Problem) return value;
    // Without the serializer, which blocks the event loop for long with 10,000 items.
    return Buffer.from(JSON.stringify({ ...value, dryRun: body.dryRun, sequence }));
  }),
];

function previewEdit(
  { context: { store } }: EditCall,
  deps: CheckDeps,
  request: EditRequest,
): Promise<EditReport | Problem> {
  return store.readSnapshot(async (db) => {
    const checked = await planChecked(db, deps, request);
    if (checked instanceof Problem) return checked;
    const found = await foundInEdit(db, request, checked);
    if (found instanceof Problem) return found;
    return { ...reportEdit(request, checked.plan, null), confirmation: confirmationJson(found) };
  });
}

interface CarriedOut {
  readonly value: EditReport | Problem;
  readonly sequence: number;
}

/** What it would commit is checked before, beside other work; if any of it changed meanwhile, it is checked again. */
async function carryOut(
  call: EditCall,
  deps: CheckDeps,
  request: EditRequest,
): Promise<CarriedOut> {
  const { store } = call.context;
  const { plan: planGiven = null } = call.body;
  for (let tries = 1; ; tries++) {
    const checked = await store.readSnapshot((db) => planChecked(db, deps, request));
    if (checked instanceof Problem) return { value: checked, sequence: 0 };
    const isOther = planGiven !== null && planGiven !== checked.plan.id;
    const rejected = isOther ? null : rejectItems(request, checked.plan.items);
    if (rejected !== null) return { value: rejected, sequence: 0 };
    const done = await save(call, request, planGiven, checked);
    const moved = done.value instanceof Problem && done.value.code === 'plan_stale';
    // A client that sent a plan has to look at what changed.
    if (!moved || planGiven !== null || tries === syncTriesMax) return done;
  }
}

async function save(
  { context, request: http }: EditCall,
  request: EditRequest,
  planGiven: string | null,
  checked: CheckedEdit,
): Promise<CarriedOut> {
  const stage = new TextStage(context.store, actorOf(http));
  try {
    for (const { outcome, texts } of checked.plan.items) {
      if (outcome !== 'changed') continue;
      for (const [digest, bytes] of texts) await stage.put(digest, bytes);
    }
    await stage.flush();
    return await commit(context, http, (write) => applyEdit(write, request, planGiven, checked));
  } finally {
    await stage.release();
  }
}
