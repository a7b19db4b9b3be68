/** How surely something matches: `maybe` when a part of it is only known once it runs. */
export type Match = 'yes' | 'maybe' | 'no';
