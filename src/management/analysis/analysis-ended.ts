/** The analysis process ended, or was ended, before the job was done. */
export class AnalysisEnded extends Error {
  readonly reason: 'memory' | 'time' | 'hung' | 'died' | 'closed';

  constructor(reason: AnalysisEnded['reason'], message: string) {
    super(message);
    this.name = 'AnalysisEnded';
    this.reason = reason;
  }
}
