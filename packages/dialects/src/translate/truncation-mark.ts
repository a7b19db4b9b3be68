/** Tells a peer whose dialect has no word for it (S4:786) that the beginning of an output is missing. */
export const TRUNCATION_MARK = '[earlier output was cut off]\n';
