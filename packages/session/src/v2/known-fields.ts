import { UPDATE_FIELDS } from '@parley/protocol/v2/unstable/fields';
import { type KnownFields, knownFields } from '../extra.ts';

/** The fields that version 2 has in its updates, those of the unstable schema among them. */
export const V2_FIELDS: KnownFields = knownFields(UPDATE_FIELDS);

/** The fields of the tool call in a permission request. */
export const V2_TOOL_CALL_FIELDS: ReadonlySet<string> = new Set([
  ...(UPDATE_FIELDS.tool_call_update ?? []),
  '_meta',
  '__proto__',
]);
