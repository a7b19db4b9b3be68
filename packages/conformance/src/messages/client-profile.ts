/** What we say that we can do, as a client: everything, or nothing. */
export type ClientProfile = 'full' | 'bare';

/** Who we are. */
export const CHECKER_INFO = { name: 'parley-check', title: 'Parley conformance checker', version: '0.1.0' } as const;
