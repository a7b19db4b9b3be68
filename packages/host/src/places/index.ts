export { makeFolder, makeFolderSync } from './make-folder.ts';
export { cacheHome, configHome, findHome, NoHomeError, runtimeHome, stateHome } from './places.ts';
