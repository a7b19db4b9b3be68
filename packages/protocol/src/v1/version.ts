/** What both sides call this version in `initialize`. */
export const VERSION = 1;
