/** Thrown within a converter: a part cannot be carried over. The message says why; who catches it says what happens instead. */
export class NotCarried extends Error {}
