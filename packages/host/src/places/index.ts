export { makeFolder, makeFolderSync } from './make-folder.ts';
export { cacheHome, configHome, findHome, NoHomeError, runtimeHome, stateHome } from './places.ts';
export { type SettingsPathFrom, settingsPath } from './settings-path.ts';
