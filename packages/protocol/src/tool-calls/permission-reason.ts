/** The key in `_meta` of an answer under which Parley's client says why not, where a rule said no or nobody was there to ask. */
export const PERMISSION_REASON = 'parley/because';
