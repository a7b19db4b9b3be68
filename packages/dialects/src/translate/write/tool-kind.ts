import type { Fields } from '../../fields.ts';
import { keep } from '../kept-facts.ts';

/** S1:58, S2:191 and S4:527 know nine kinds of tools; switching the mode is none of them. */
export function writeKind(call: Fields): Fields {
  return call.kind === 'switch_mode' ? keep({ ...call, kind: 'other' }, { kind: 'switch_mode' }) : call;
}
