/**
 * Finds or makes the bodies of a response that has several. Those that the front end splices are made some in each turn of
 * the event loop: they are in the cache when the last of them is there. The others the pool makes.
 */
import { gatherTurnsMax, inlineBytesMin, inlineTurnBytesMax } from '../limits.js';
import { Problem } from '../problems.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, type RenderedParts } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';

/** One body of the response. */
export interface Found {
  /** Null: the content is not there. */
  readonly slot: RenderSlot | null;
  /** Null where there is no slot. */
  readonly parts: RenderedParts | null;
}

/** Whoever the bodies are for. */
export interface Receiver {
  /** Does work in a later turn of the event loop, and bears what it throws; does nothing once nothing may be written. */
  goOn(work: () => void): void;
}

export interface Gathering {
  readonly exchange: Receiver;
  /** What was chosen; null: the content is not there. Gathering puts the slots in it that the bodies belong to. */
  readonly slots: (RenderSlot | null)[];
  /** The moment that they were chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
  /** All bodies are there, in the order of `slots`. Their bytes hold for this turn of the event loop. */
  readonly onFound: (found: readonly Found[]) => void;
  /** An edit has passed the choice: what it chose is no longer published. */
  readonly onPassed: () => void;
  readonly onFailed: (problem: Problem) => void;
}

/** Calls exactly one of the three functions, in this turn or a later one; none when the exchange ends before. */
export function gatherBodies(renderer: Renderer, gathering: Gathering): void {
  gatherTurn(renderer, gathering, gatherTurnsMax);
}

function gatherTurn(renderer: Renderer, gathering: Gathering, turnsLeft: number): void {
  const { exchange, slots, nowMs } = gathering;
  const found: Found[] = [];
  let inlineBytes = 0;
  let isWaiting = false;
  for (let at = 0; at < slots.length; at += 1) {
    let slot = slots[at] as RenderSlot | null;
    if (slot === null) {
      found.push(notFound);
      continue;
    }
    let parts: RenderedParts | Problem | null = renderer.cached(slot, nowMs);
    if (parts === null || (parts.packed === null && slot.coding === Coding.Gzip)) {
      if (inlineBytes >= inlineTurnBytesMax && turnsLeft > 0) {
        setImmediate(() => exchange.goOn(() => gatherTurn(renderer, gathering, turnsLeft - 1)));
        return;
      }
      ({ slot, parts } = renderer.chooseEntry(slot));
      // A body that is spliced now is in the cache in the next turn, where it must not count as asked for again.
      slots[at] = slot;
      if (parts instanceof Problem) {
        gathering.onFailed(parts);
        return;
      }
      if (parts === null) isWaiting = true;
      else inlineBytes += Math.max(inlineBytesMin, slot.workBytes);
    }
    found.push({ slot, parts });
  }
  if (isWaiting) waitForPool(renderer, gathering, found);
  else gathering.onFound(found);
}

/** @param found without parts where the pool is to make them */
function waitForPool(renderer: Renderer, gathering: Gathering, found: Found[]): void {
  const { exchange } = gathering;
  let waiting = 0;
  let failed: Problem | null = null;
  let passed = false;
  const done = (): void => {
    waiting -= 1;
    if (waiting > 0) return;
    exchange.goOn(() => {
      if (failed !== null) gathering.onFailed(failed);
      else if (passed) gathering.onPassed();
      else gathering.onFound(found);
    });
  };
  for (let at = 0; at < found.length; at += 1) {
    const { slot, parts } = found[at] as Found;
    if (slot === null) continue;
    // Bytes that are at hand may be another body's by the time the others are there.
    if (parts !== null) {
      found[at] = owned(slot, parts);
      continue;
    }
    waiting += 1;
    renderer.render(slot, (rendered) => {
      if (rendered instanceof Problem) failed = rendered;
      else if (rendered === null) passed = true;
      else found[at] = { slot, parts: rendered };
      // Counted down in a turn of its own: this may be called before all the others have been asked for.
      queueMicrotask(done);
    });
  }
}

const notFound: Found = { slot: null, parts: null };

/** The same with bytes of its own. */
function owned(slot: RenderSlot, parts: RenderedParts): Found {
  return { slot, parts: parts.raw === null ? parts : { ...parts, raw: parts.raw.slice() } };
}
