export { cacheHome, configHome, findHome, NoHomeError, runtimeHome, stateHome } from './places.ts';
