import { GraderError } from '../grader-error.ts';
import { runProgram } from '../run-program.ts';
import { type ReadyGrader, unusable, verdict } from './ready-grader.ts';

/** Most of its output that is a reason. */
const MAX_REASON_CHARACTERS = 2000;

/** Does a command end with code 0, in the folder where the agent worked, with the answer on stdin? */
export const command: ReadyGrader = {
  name: 'command',
  says: "the shell command exits with 0, in the agent's folder, with the answer on stdin",
  open(argument, { shown, cwd: usual, timeoutMs, env, onLog }) {
    if (argument === undefined || argument.trim() === '')
      throw unusable('command', "it names no command: 'command:npm test'.");
    const argv = process.platform === 'win32' ? ['cmd', '/c', argument] : ['sh', '-c', argument];
    return async ({ output: input, cwd = usual }, signal) => {
      const {
        code,
        signal: killedBy,
        output,
        stderrTail,
      } = await runProgram({ argv, shown, timeoutMs, env, cwd, onLog, input, signal });
      if (code === 127 || code === 126)
        throw new GraderError(`The command ${argument} could not be run: ${stderrTail}`);
      const how = code === null ? `It was ended by ${killedBy}.` : `It exited with code ${code}.`;
      const printed = `${output}${stderrTail}`.trim().slice(-MAX_REASON_CHARACTERS);
      return verdict(code === 0, how, [how, printed].filter(Boolean).join(' '));
    };
  },
};
