import { fileURLToPath } from 'node:url';

export { areGone, isRunning, untilGone } from './is-running.ts';
export { type ServeProcess, type ServeProcessOptions, startServeProcess } from './serve-process.ts';

/**
 * A shell script: a parent with a child, both of which ignore SIGTERM and the end of stdin. Its first line of output is a
 * message whose params are their process ids. With the argument `crash` it then ends with code 3.
 */
export const FAMILY_SCRIPT: string = fileURLToPath(new URL('./family.sh', import.meta.url));
