/** No delivery process serves what was published: an edit is saved, and players do not get it yet. */
export class NobodyServes extends Error {
  readonly code = 'nobody_serves';
  /** The server stops, so this is no fault. */
  readonly isStopping: boolean;

  constructor(isStopping: boolean) {
    super(
      isStopping
        ? 'No delivery process serves it: the server stops.'
        : 'No delivery process serves it: they are being started again.',
    );
    this.name = 'NobodyServes';
    this.isStopping = isStopping;
  }
}
