export { type FindProgramOptions, findProgram } from './find-program.ts';
