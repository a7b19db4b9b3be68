import type { CheckResult } from '../report/report.ts';

/** What a run is doing. */
export type Progress =
  | { readonly kind: 'start'; readonly total: number }
  | {
      readonly kind: 'check';
      readonly id: string;
      readonly says: string;
      readonly index: number;
      readonly total: number;
    }
  | { readonly kind: 'result'; readonly result: CheckResult; readonly index: number; readonly total: number };

export const STOPPED = 'The run was stopped.';
