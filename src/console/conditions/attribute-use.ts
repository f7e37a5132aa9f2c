/** Whether an attribute is used by anything but the condition that asks. */
import type { Attribute } from '../../contract/operations/attributes.js';

export interface Beside {
  readonly segment: string | undefined;
  readonly content: string | undefined;
}

export function isUsedBeside(attribute: Attribute, { segment, content }: Beside): boolean {
  const { segments, contents, sampleUsers, lastSeen } = attribute;
  const own = content?.toLowerCase();
  return (
    lastSeen !== null ||
    sampleUsers.length > 0 ||
    segments.some((name) => name !== segment) ||
    contents.some((id) => id.toLowerCase() !== own)
  );
}
