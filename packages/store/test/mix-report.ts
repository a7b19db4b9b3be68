/** What one process was promised. */
export interface MixReport {
  readonly acks: readonly { readonly sessionId: string; readonly body: string; readonly seq: number }[];
  /** The requests that it was the first to answer. */
  readonly wins: readonly string[];
  readonly faults: readonly string[];
}
