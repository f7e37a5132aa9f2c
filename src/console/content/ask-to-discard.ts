/** Asks before unsaved edits are discarded. */
import { askToConfirm } from '../parts/form/ask-to-confirm.js';

export function askToDiscard(discard: () => void): void {
  askToConfirm({
    title: 'Discard unsaved changes?',
    text: 'Everything typed since the last save is discarded, in all tabs of this content item. This cannot be undone.',
    confirm: 'Discard',
    color: 'red',
    onConfirm: discard,
  });
}
