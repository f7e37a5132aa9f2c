/** Names the state that a dry run looked at, so that what it showed is what is done, or is refused (D37). */
import { createHash } from 'node:crypto';
import type { StoredContent } from '../store/contents/content-states.js';
import type { Segment } from '../store/segments/segments.js';

/** Equal for equal parts in equal order. A change of any of them gives another id. */
export class PlanId {
  readonly #hash = createHash('sha256');

  add(part: readonly unknown[]): this {
    this.#hash.update(JSON.stringify(part)).update('\n');
    return this;
  }

  /** Everything about a content that a plan depends on: its revisions are immutable, so their numbers stand for them. */
  addContent(content: StoredContent): this {
    const { idLower, id, newest, live, deleted, description, tags, schema } = content;
    return this.add([idLower, id, newest, live?.number, deleted, description, tags, schema]);
  }

  addSegment({ name, condition, description }: Segment): this {
    return this.add([name, condition, description]);
  }

  /** Short enough to be read out, long enough that nobody meets another plan's by chance. Nothing can be added after. */
  get text(): string {
    return this.#hash.digest('hex').slice(0, 32);
  }
}
