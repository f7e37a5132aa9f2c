/** What a stream compares of a content item: as long as it is the same, so is what the client is given. */
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
  if (wants.isBlind) return content.listsFlags ? content.edition : '';
  const state = content.stateFor(caller);
  if (state === null) return '';
  if (wants.mode === Mode.Ofrep) return state.flagsTag(caller, nowMs);
  return state.slot(caller, formOf(wants), Coding.Identity, nowMs)?.tag ?? '';
}

const never = Number.POSITIVE_INFINITY;

/** When the clock alone may change what the client is given of a content item, see `tagFor`; Infinity for never. */
export function changesAtMsFor(stream: Stream, content: ServedContent, nowMs: number): number {
  const { caller, wants } = stream;
  if (wants.isBlind) return content.listsFlags ? content.nextEdgeMs(nowMs) : never;
  const state = content.stateFor(caller);
  if (state === null || !state.hasWindows) return never;
  if (wants.mode !== Mode.Ofrep) return state.changesAtMs(caller, nowMs);
  return state.flags.length === 0 ? never : state.changesAtMs(caller, nowMs, caller.u === '');
}
