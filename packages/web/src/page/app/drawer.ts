/** On narrow screens one of the columns lies over the middle. */
export type Drawer = 'sessions' | 'changes' | undefined;
