/** What is used of highlight.js. */
export interface HighlightLibrary {
  newInstance(): HighlightLibrary;
  registerLanguage(name: string, language: HighlightLanguage): void;
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

export type HighlightLanguage = (library: HighlightLibrary) => object;
