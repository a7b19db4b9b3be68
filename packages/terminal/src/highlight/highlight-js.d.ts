// Stands for the types of highlight.js/lib/*, which bring those of the browser along (see `paths` in tsconfig.json).
import type { HighlightLanguage, HighlightLibrary } from './library.ts';

declare const part: HighlightLibrary & HighlightLanguage;
export default part;
