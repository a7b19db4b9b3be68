/** Whether a message comes from the peer or goes to it. */
export type Direction = 'in' | 'out';
