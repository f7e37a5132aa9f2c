/** Texts that a store holds as they are: PostgreSQL has no U+0000, and half of a surrogate pair is no character. */
import type { z } from 'zod';

const unstorable = /[\0\p{Surrogate}]/u;

export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

/** For texts for people and for what is looked up; ids and names have stricter rules. */
export function storable(shape: z.ZodString): z.ZodString {
  return shape.refine(isStorable, 'must not contain U+0000 or half of a surrogate pair');
}
