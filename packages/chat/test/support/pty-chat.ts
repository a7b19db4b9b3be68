import { PtyProgram, type PtyProgramOptions } from '@parley/testing/pty-program';
import type { ChatProgramOptions } from './chat-program.ts';

export interface PtyChatOptions
  extends Omit<PtyProgramOptions, 'command'>,
    Pick<ChatProgramOptions, 'options' | 'connect' | 'reportFile' | 'historyFile'> {
  /** The built chat program and the built agent. */
  readonly program: string;
  readonly agent: string;
  readonly agentArgs?: readonly string[];
}

/** The chat in a real pseudo-terminal. */
export class PtyChat extends PtyProgram {
  constructor({
    program,
    agent,
    agentArgs = [],
    options,
    connect,
    reportFile,
    historyFile,
    ...others
  }: PtyChatOptions) {
    const given: ChatProgramOptions = {
      command: process.execPath,
      args: [agent, ...agentArgs],
      cwd: others.cwd,
      ...(options && { options }),
      ...(connect && { connect }),
      ...(reportFile !== undefined && { reportFile }),
      ...(historyFile !== undefined && { historyFile }),
    };
    super({ ...others, command: [process.execPath, program, JSON.stringify(given)] });
  }
}
