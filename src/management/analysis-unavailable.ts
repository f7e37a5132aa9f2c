/** Why a request about events has no answer: the admin API responds with the problem of the error's code. */
export class AnalysisUnavailable extends Error {
  /**
   * `events_off`: there is nothing here to ask. `analysis_busy`: other jobs come first. `analysis_failed`: the job, or the process,
   * failed at it.
   */
  readonly code: 'events_off' | 'analysis_busy' | 'analysis_failed';

  /** @param message for the user; what only the operator should see goes to the log */
  constructor(code: AnalysisUnavailable['code'], message: string) {
    super(message);
    this.name = 'AnalysisUnavailable';
    this.code = code;
  }
}
