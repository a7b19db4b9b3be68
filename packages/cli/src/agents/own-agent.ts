/** The name of our own agent. */
export const OWN_AGENT = 'parley';
