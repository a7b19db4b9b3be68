import type { Fields } from '../../fields.ts';
import { keep } from '../kept-facts.ts';

/** S2:318 and S4:376 know no limit on requests. The limit on tokens comes nearest: the answer is not complete. */
export function writeStopReason(result: Fields): Fields {
  const { stopReason } = result;
  return stopReason === 'max_turn_requests' ? keep({ ...result, stopReason: 'max_tokens' }, { stopReason }) : result;
}

/** S1:58, S2:191 and S4:527 know nine kinds of tools; switching the mode is none of them. */
export function writeKind(call: Fields): Fields {
  return call.kind === 'switch_mode' ? keep({ ...call, kind: 'other' }, { kind: 'switch_mode' }) : call;
}
