/** Owns what a content id looks like, and the form in which ids are matched. */

/** Long enough for `game.area.feature.variant` names, short enough for a URL, a log line and a key. */
export const contentIdLengthMax = 128;

const contentIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether `text` can name a content: 1 to 128 of `A-Z a-z 0-9 . _ -`, but neither `.` nor `..`, which URLs swallow. */
export function isContentId(text: string): boolean {
  return contentIdPattern.test(text) && text !== '.' && text !== '..';
}

/** The form by which a content is found: ids are matched without case, and they are ASCII. */
export function contentKey(id: string): string {
  return id.toLowerCase();
}
