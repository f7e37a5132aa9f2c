/** Short messages in the corner, for results that need no reading. */
import { notifications } from '@mantine/notifications';
import { wordsOf } from '../api/call.js';

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
}

export function notifyFailed(error: unknown): void {
  notifications.show({ title: 'That did not work', message: wordsOf(error), color: 'red' });
}
