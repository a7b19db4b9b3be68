import { findProgram } from '@parley/host/programs';
import type { FileOperations, SearchOperations } from '../operations.ts';
import { ripgrepSearch } from './ripgrep-search.ts';
import { walkSearch } from './walk-search.ts';

let ripgrep: { readonly command: string | undefined } | undefined;

/** Searches this machine's files: with ripgrep when it is there, else by walking. */
export function localSearch(files: FileOperations): SearchOperations {
  const walking = walkSearch(files);
  return {
    async search(query) {
      ripgrep ??= { command: findProgram('rg') };
      const { command } = ripgrep;
      return (command === undefined ? walking : ripgrepSearch(command, walking, files)).search(query);
    },
  };
}
