/** Names what a change is about, in sentences and issues. */
import type { ReleaseChangeRecord } from '../store/releases/release-changes.js';

export function describeItem({ kind, id }: Pick<ReleaseChangeRecord, 'kind' | 'id'>): string {
  switch (kind) {
    case 'content':
      return id;
    case 'segment':
      return `segment ${id}`;
    case 'environment':
      return 'environment';
  }
}
