/** For a part that may be longer than its room: by the keyboard alone it can be reached and moved, and it has a name. */
export const SCROLLED = { tabIndex: 0, role: 'group', 'aria-label': 'What is asked' } as const;
