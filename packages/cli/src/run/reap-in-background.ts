import { reapStrays } from '@parley/transports/process';

/** Ends agents that an earlier run could not end, as after a power cut. It is nobody's errand to wait for it. */
export function reapInBackground(): void {
  reapStrays().catch(() => {});
}
