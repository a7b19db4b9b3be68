export { isModelKey, type SplitEnvironment, splitSecrets } from './secret-variables.ts';
export { SECRETS_FD, SECRETS_FD_VARIABLE, writeSecretsPipe } from './secrets-pipe.ts';
export { hideVariables, takeEnvironment } from './take-environment.ts';
