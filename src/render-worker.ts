/** Entry point of a pool worker: renders bodies from published.db, and compresses what it is handed. */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { indexWideContainers } from './content/flags/wide-containers.js';
import { compressWhole, renderBody } from './delivery/render/body-renderer.js';
import { chooseDocumentWork } from './delivery/render/document-work.js';
import type {
  DocumentParts,
  FlagIndex,
  PoolTask,
  RenderedParts,
  RenderFailure,
  RenderTask,
  WorkerOptions,
} from './delivery/render/render-task.js';
import { StoredBodies } from './delivery/render/stored-bodies.js';
import { PublishedDamaged } from './published/damage.js';
import { PublishedReader } from './published/reader.js';

const { publishedPath, native } = workerData as WorkerOptions;
const work = chooseDocumentWork(native);
/** Opened by the first task: a file that cannot be opened is said in its reply, and ends no worker. */
let opened: StoredBodies | null = null;

function stored(): StoredBodies {
  opened ??= new StoredBodies(new PublishedReader(publishedPath), work);
  return opened;
}

/** A reply whose buffers move to the front end instead of being copied. */
class Moved {
  readonly [valueSymbol]: unknown;
  readonly [transferableSymbol]: ArrayBufferLike[];

  constructor(value: unknown, views: readonly (ArrayBufferView | null)[]) {
    this[valueSymbol] = value;
    this[transferableSymbol] = views.flatMap((view) => (view === null ? [] : [view.buffer]));
  }
}

/** Does one task of the pool; see PoolTask for what it answers. */
export function run(task: PoolTask): unknown {
  switch (task.type) {
    case 'render': {
      const parts = task.tasks.map((each) => attempt(() => render(each)));
      return moved(
        parts,
        parts.flatMap((part) => (part !== null && 'raw' in part ? [part.raw, part.packed] : [])),
      );
    }
    case 'document': {
      const document = attempt(() => copied(task.bodyDigest));
      if (document === null || 'failure' in document) return document;
      return moved(document, [document.bytes, document.nodes]);
    }
    case 'index': {
      const document = work.index(task.json);
      const wide = indexWideContainers(document, Math.floor(Math.random() * 2 ** 32));
      const index: FlagIndex = { nodes: document.nodes, wide };
      return moved(index, [index.nodes, wide.entries, wide.places]);
    }
    case 'compress': {
      const bytes = compressWhole(task.bytes, task.coding);
      return moved(bytes, [bytes]);
    }
  }
}

function attempt<T>(work: () => T): T | RenderFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof PublishedDamaged) return { failure: error.message, damaged: true };
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { failure, damaged: false };
  }
}

function render(task: RenderTask): RenderedParts | null {
  if (task.mappingDigest === '') {
    const json = stored().json(task.bodyDigest);
    return json === null ? null : renderBody(work, task, json, []);
  }
  const document = stored().document(task.bodyDigest);
  const mutations = stored().mutations(task.mappingDigest, task.choices);
  if (document === null || mutations === null) return null;
  return renderBody(work, task, document, mutations);
}

/** The worker keeps its own; the front end gets one to keep. */
function copied(digest: string): DocumentParts | null {
  const document = stored().document(digest);
  if (document === null) return null;
  return { bytes: Uint8Array.from(document.bytes), nodes: Uint32Array.from(document.nodes) };
}

function moved(value: unknown, views: readonly (ArrayBufferView | null)[]): unknown {
  return move(new Moved(value, views) as never);
}
