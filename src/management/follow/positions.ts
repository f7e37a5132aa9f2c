/**
 * Positions that this server's published.db has had since it started. Numbers of histories that were given up are among them
 * with their marks, so that the same number of another history is not taken for one of these (D44).
 */
import type { PublishedPosition } from '../../published/writer.js';
import { positionsKept } from '../limits/follow.js';

export class Positions {
  /** Mark by number, the oldest first. */
  readonly #marks = new Map<number, string>();

  note({ sequence, mark }: PublishedPosition): void {
    if (this.#marks.get(sequence) === mark) return;
    this.#marks.delete(sequence);
    this.#marks.set(sequence, mark);
    if (this.#marks.size <= positionsKept) return;
    const [oldest] = this.#marks.keys();
    if (oldest !== undefined) this.#marks.delete(oldest);
  }

  has({ sequence, mark }: PublishedPosition): boolean {
    return this.#marks.get(sequence) === mark;
  }
}
