/** Set in every spawned process: children inherit it, so they are known even when the process itself is gone. */
export const LAUNCH_ID_VARIABLE = 'PARLEY_LAUNCH_ID';
