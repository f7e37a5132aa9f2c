/** How often another delivery process took the place of one, by the reason. */
export interface RestartCounts {
  /** It ended by itself, could not start, or somebody outside ended it: a crash, the kernel for its memory. */
  died: number;
  /** The server ended it, because it did not acknowledge an edit in time. */
  killed: number;
  /** SIGHUP. */
  replaced: number;
}
