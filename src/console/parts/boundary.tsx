/** A screen or tab that fails (its code could not be loaded, or has a fault) leaves what is around it alone. */
import { Component, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.js';

interface Props {
  readonly children: ReactNode;
  /** Another value than before: it is tried again. */
  readonly resetOn?: string;
}

export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('It failed.') };
  }

  override componentDidUpdate({ resetOn }: Props): void {
    if (resetOn !== this.props.resetOn && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <ProblemAlert
        title="This could not be shown. What you typed is kept: load the page again."
        error={error}
        onRetry={() => window.location.reload()}
      />
    );
  }
}
