/** How far sub-agents may go, and with which model. */
export interface TaskLimits {
  /** Requests that one may make to the model. Default: 50. */
  readonly maxRequests?: number;
  /** How many work at the same time; the others wait. Default: 4. */
  readonly maxParallel?: number;
  /** Their model, by its name or a part of it, where it is within reach. Default: that of the session. */
  readonly model?: string;
}
