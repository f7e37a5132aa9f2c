/** Contains the failure of a screen or tab, whose code did not load or threw. */
import { Component, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { serverState } from '../api/server-state.js';
import { ProblemAlert } from './problem-alert.js';
import { Waiting } from './waiting.js';

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
    return error === null ? this.props.children : <Failure error={error} />;
  }
}

/** While the server is away, it is the code that could not be loaded: the page is loaded again once the server is back. */
function Failure({ error }: { readonly error: unknown }) {
  const isAway = useSyncExternalStore(serverState.subscribe, () => serverState.isAway);
  const wasAway = useRef(isAway);
  // A navigation sends no request of its own, so that nothing may have noticed yet.
  useEffect(() => void serverState.check(), []);
  useEffect(() => {
    if (isAway) wasAway.current = true;
    else if (wasAway.current) window.location.reload();
  }, [isAway]);
  // The banner of the server says what is wrong.
  if (isAway) return <Waiting label="This opens as soon as the server is back" height={320} />;
  return (
    <ProblemAlert
      title="This could not be shown. Your changes are kept. Reload the page."
      error={error}
      onRetry={() => window.location.reload()}
    />
  );
}
