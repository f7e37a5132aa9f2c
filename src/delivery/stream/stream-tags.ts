/** What a stream compares of a content item: as long as it is the same, so is what the client is given. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { Coding, Form } from '../render/render-task.js';
import type { ServedContent } from '../render/served-content.js';
import { Mode, type Stream } from './stream.js';

/** In which the bodies of a stream are made. */
export function formOf({ serialized }: Stream['wants']): Form {
  return serialized ? Form.Serialized : Form.Wrapped;
}

/**
 * '' where the client is given nothing: the item is not there, or no version line admits the caller, or OFREP does not list it.
 * Of no account where `caller.isOverworked` afterwards.
 * @param content null: it is not there
 */
export function tagFor(stream: Stream, content: ServedContent | null, nowMs: number): string {
  const { caller, wants } = stream;
  if (content === null) return '';
  if (wants.mode === Mode.Ofrep) {
    if (content.flags.length === 0) return '';
    return wants.isBlind ? content.edition : content.flagsTag(caller, nowMs);
  }
  return content.slot(caller, formOf(wants), Coding.Identity, nowMs)?.tag ?? '';
}

/** When the clock alone may change what the client is given of a content item with windows, see `tagFor`. */
export function changesAtMsFor(stream: Stream, content: ServedContent, nowMs: number): number {
  const { caller, wants } = stream;
  if (wants.mode !== Mode.Ofrep) return content.changesAtMs(caller, nowMs);
  if (content.flags.length === 0) return Number.POSITIVE_INFINITY;
  if (wants.isBlind) return content.nextEdgeMs(nowMs);
  return content.changesAtMs(caller, nowMs, caller.u === '');
}

/** What the rules have made of the attributes is not kept with each stream. */
export function forgetTexts(caller: EvaluationContext): void {
  caller.derived = null;
}
