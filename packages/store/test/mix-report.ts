/** What one process was promised. */
export interface MixReport {
  readonly acks: readonly { readonly sessionId: string; readonly body: string; readonly seq: number }[];
  /** The answers that it was the first to give. */
  readonly wins: readonly string[];
  readonly faults: readonly string[];
}
