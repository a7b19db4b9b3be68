export { type FindProgramOptions, findProgram } from './find-program.ts';
export { openPage } from './open-page.ts';
