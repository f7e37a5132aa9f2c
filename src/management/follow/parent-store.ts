/**
 * A parent in the place of a store: what publishing reads of one, asked of another server over HTTP. So a follower catches up,
 * rebuilds, repairs and refuses by the same code as a server with a store (D1, D128).
 */
import { existsSync } from 'node:fs';
import type { PublishedChange } from '../../published/change.js';
import { PublishedReader } from '../../published/reader.js';
import type { PublishedPosition } from '../../published/writer.js';
import type { NoChanges, PublishedChanges, PublishedEverything } from '../store/store.js';
import { StoreUnavailable } from '../store/store-errors.js';
import { changesOf, type Texts } from './line-changes.js';
import type { ParentRequests } from './parent-requests.js';
import { parse } from './parent-response.js';
import {
  bodyLineSchema,
  type ChangeLine,
  type ChangesHead,
  type FollowerState,
  followPaths,
  headSchema,
  lineSchema,
  parentPositionSchema,
} from './wire.js';

type Requests = Pick<ParentRequests, 'json' | 'next' | 'lines' | 'turnFrom' | 'url'>;

const firstOrLine = headSchema.or(lineSchema);

/** Changes that came with the response to the question for them. */
interface Ahead {
  readonly after: PublishedPosition;
  readonly lines: readonly string[];
}

export interface NextPosition extends PublishedPosition {
  /** Whether edits wait for this server. */
  readonly isWaitedFor: boolean;
}

export class ParentStore {
  readonly #requests: Requests;
  readonly #publishedPath: string;
  #id: string;
  #streamKey = '';
  #ahead: Ahead | null = null;

  /** @param id of the store that published.db was made from; '': there is nothing in it */
  constructor(requests: Requests, publishedPath: string, id: string) {
    this.#requests = requests;
    this.#publishedPath = publishedPath;
    this.#id = id;
  }

  /** Identity of the store at the root. */
  get id(): string {
    return this.#id;
  }

  get streamKey(): string {
    return this.#streamKey;
  }

  async readChanges(
    after: PublishedPosition,
    countMax: number = Number.POSITIVE_INFINITY,
  ): Promise<PublishedChanges | 'many' | NoChanges> {
    return this.#transfer(after, async ({ form, sequence, mark }, lines, texts) => {
      if (form === 'none') return { sequence, mark, changes: [] };
      if (form === 'everything') return 'lost';
      const read: ChangeLine[] = [];
      for await (const line of lines) {
        if (read.length >= countMax) return 'many';
        read.push(line);
      }
      const changes: PublishedChange[] = [];
      for await (const change of changesOf(iterate(read), texts)) changes.push(change);
      return { sequence, mark, changes };
    });
  }

  async readManyChanges<T>(
    after: PublishedPosition,
    _atLeast: number,
    use: (published: PublishedEverything) => Promise<T>,
  ): Promise<T> {
    return this.#transfer(after, async ({ form, sequence, mark }, lines, texts) => {
      if (form !== 'changes') {
        throw new StoreUnavailable(null, 'The changes of the parent have moved on meanwhile.');
      }
      return use({ sequence, mark, changes: changesOf(lines, texts) });
    });
  }

  async readEverything<T>(
    _atLeast: number,
    use: (published: PublishedEverything) => Promise<T>,
  ): Promise<T> {
    return this.#transfer(null, async ({ sequence, mark }, lines, texts) =>
      use({ sequence, mark, changes: changesOf(lines, texts) }),
    );
  }

  async look(): Promise<{ readonly id: string; readonly servesNothing: boolean }> {
    const { storeId: id, servesNothing } = await this.#requests.json({
      ...{ path: followPaths.position, schema: parentPositionSchema },
    });
    return { id, servesNothing };
  }

  /**
   * Tells the parent where this server is, and waits for another position than the known one, for some seconds. What `readChanges`
   * reads after the known one is there by then, unless it is long.
   */
  async next(known: PublishedPosition, state: FollowerState): Promise<NextPosition> {
    const { lines, isWaitedFor } = await this.#requests.next({ ...state, known });
    const [first = ''] = lines;
    const hasChanges = lines.length > 1;
    const { sequence, mark } = parse(hasChanges ? headSchema : parentPositionSchema, first);
    this.#ahead = hasChanges ? { after: known, lines } : null;
    return { sequence, mark, isWaitedFor };
  }

  /** Only a store gives out numbers, and `readChanges` never says that it is needed. */
  async moveBeyond(): Promise<void> {
    throw new StoreUnavailable(null, 'A follower gives out no numbers.');
  }

  /** There is no log here: what a parent remembers is its own matter. */
  async pruneChanges(): Promise<void> {}

  /** @param after null: everything is asked for */
  async #transfer<T>(
    after: PublishedPosition | null,
    use: (head: ChangesHead, lines: AsyncIterable<ChangeLine>, texts: Texts) => Promise<T>,
  ): Promise<T> {
    const { url } = this.#requests;
    const read = this.#takeAhead(after) ?? this.#request(after);
    let own: PublishedReader | null = null;
    try {
      const { value: head } = await read.next();
      if (head === undefined || !('form' in head)) {
        throw new StoreUnavailable(null, 'The parent does not say what it sends.');
      }
      if (head.form === 'behind') {
        this.#requests.turnFrom(url);
        throw new StoreUnavailable(
          null,
          `The parent ${url} is at ${head.sequence}, and ${after?.sequence} is served here: it is late, or has another history. Nothing older is taken from it.`,
        );
      }
      const text = (digest: string): Uint8Array | null => {
        own ??= openOwn(this.#publishedPath);
        return own === null ? null : ownText(own, digest);
      };
      const done = await use(head, complete(read), { own: text, ask: (of) => this.#ask(of) });
      this.#id = head.storeId;
      this.#streamKey = head.streamKey;
      return done;
    } finally {
      (own as PublishedReader | null)?.close();
      await read.return(undefined);
    }
  }

  /** Null: what came, if anything, is after another position. */
  #takeAhead(after: PublishedPosition | null): Lines | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead === null || after === null) return null;
    const isNext = after.sequence === ahead.after.sequence && after.mark === ahead.after.mark;
    return isNext ? parsed(ahead.lines) : null;
  }

  #request(after: PublishedPosition | null): Lines {
    return this.#requests.lines({
      path: followPaths.changes,
      query: after === null ? { everything: 1 } : { sequence: after.sequence, mark: after.mark },
      schema: firstOrLine,
    });
  }

  async #ask(digests: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const lines = this.#requests.lines({
      ...{ path: followPaths.bodies, body: { digests }, schema: bodyLineSchema },
    });
    for await (const { digest, text } of lines) {
      if (text !== null) found.set(digest, Buffer.from(text));
    }
    return found;
  }
}

type Lines = AsyncGenerator<ChangesHead | ChangeLine>;

async function* parsed([head = '', ...lines]: readonly string[]): Lines {
  yield parse(headSchema, head);
  for (const line of lines) yield parse(lineSchema, line);
}

/** Lines up to the last one, which must be there: a transfer that was cut off changes nothing. */
async function* complete(
  read: AsyncIterable<ChangeLine | ChangesHead>,
): AsyncGenerator<ChangeLine> {
  let count = 0;
  let isComplete = false;
  // To the end of the response, so that its connection can be used again.
  for await (const line of read) {
    if ('form' in line || isComplete) throw new StoreUnavailable(null, 'The parent begins again.');
    if (line.kind === 'end') {
      if (line.lines !== count) {
        throw new StoreUnavailable(null, 'The parent has sent fewer lines than it says.');
      }
      isComplete = true;
      continue;
    }
    count += 1;
    yield line;
  }
  if (!isComplete) throw new StoreUnavailable(null, 'A transfer from the parent broke off.');
}

async function* iterate<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Null: there is no file yet, or it is damaged; every text is then asked for. */
function openOwn(path: string): PublishedReader | null {
  try {
    return existsSync(path) ? new PublishedReader(path) : null;
  } catch {
    return null;
  }
}

function ownText(own: PublishedReader, digest: string): Uint8Array | null {
  try {
    return own.body(digest);
  } catch {
    // Damaged: that of the parent takes its place where the file is made again.
    return null;
  }
}
