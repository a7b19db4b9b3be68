/** How far sub-agents may go. */
export interface TaskLimits {
  /** Requests that one may make to the model. Default: 50. */
  readonly maxRequests?: number;
  /** How many work at the same time; the others wait. Default: 4. */
  readonly maxParallel?: number;
}
