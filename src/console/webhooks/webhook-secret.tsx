/** Shows the secret of a webhook, which is shown only once, and what a receiver does with it. */
import type { ReactNode } from 'react';
import { ShownOnce } from '../parts/shown-once.js';
import { VerifyHelp } from './verify-help.js';

export interface WebhookSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** What else is to be known. */
  readonly children?: ReactNode;
}

export function WebhookSecret({ children, ...shown }: WebhookSecretProps) {
  return (
    <ShownOnce
      {...shown}
      label="Secret"
      warning="This is the only time that the secret is shown. Give it to the receiver now. If it is lost, replace it."
    >
      {children}
      <VerifyHelp />
    </ShownOnce>
  );
}
