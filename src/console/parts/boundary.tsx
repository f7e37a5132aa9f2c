/** Contains the failure of a screen or tab, whose code did not load or threw. */
import { Component, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.js';

interface Props {
  readonly children: ReactNode;
  /** A new value renders the children again. */
  readonly resetOn?: string;
}

export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('The screen failed.') };
  }

  override componentDidUpdate({ resetOn }: Props): void {
    if (resetOn !== this.props.resetOn && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <ProblemAlert
        title="This could not be shown. Your changes are kept. Reload the page."
        error={error}
        onRetry={() => window.location.reload()}
      />
    );
  }
}
