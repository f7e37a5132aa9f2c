/** What the dialogs of bulk edits say. Pure. */
import { counted } from '../../parts/counted.js';
import type { EditWords } from './edit-dialog.js';

export const publishWords: EditWords = {
  title: 'Publish drafts together',
  act: 'contents.publish',
  confirm: (items) => `Publish ${items}`,
  what: (count) => counted(count, 'draft'),
  done: (items) => `${items} published.`,
};

export const deleteWords: EditWords = {
  title: 'Delete content items',
  act: 'contents.delete',
  confirm: (items) => `Delete ${items}`,
  what: (count) => counted(count, 'deletion'),
  done: (items) => `${items} deleted. They can be restored under Deleted.`,
};
