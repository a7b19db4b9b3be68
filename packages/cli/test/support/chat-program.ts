// Runs the chat with the agent that the first argument describes, as the command `parley` would.
import { writeFileSync } from 'node:fs';
import type { ConnectOptions } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import type { ChatOptions } from '../../src/chat/chat-options.ts';
import { runChat } from '../../src/chat/run-chat.ts';

export interface ChatProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly options?: Partial<Omit<ChatOptions, 'connect'>>;
  /** What is added to how the agent is connected to; it has come by way of JSON. */
  readonly connect?: ConnectOptions;
  /** Where to write how much processor time the chat took. */
  readonly reportFile?: string;
  readonly historyFile?: string;
}

const given = JSON.parse(process.argv[2] ?? '{}') as ChatProgramOptions;
const { command, args, cwd, options = {}, connect = {}, reportFile, historyFile } = given;

// Tells a test from where on the output is made for another window.
process.stdout.on('resize', () => {
  process.stdout.write(`\u001b]777;size;${process.stdout.columns};${process.stdout.rows}\u0007`);
});

// Lets a test see what an error of ours does to the terminal.
process.on('SIGUSR2', () => {
  throw new Error('crashed on purpose');
});

const exitCode = await runChat(
  {
    agent: { name: 'test', title: 'Test Agent', origin: 'command', address: { kind: 'command', command, args } },
    source: spawnAgent(command, args, { cwd }),
    connect: () => ({ workspace: { roots: [cwd] }, terminals: true, ...connect }),
    session: { cwd },
    isPlain: false,
    hasColor: process.env.NO_COLOR === undefined,
    resumeCommand: async (sessionId) => `parley resume ${sessionId}`,
    ...options,
  },
  {
    input: process.stdin,
    output: process.stdout,
    env: process.env,
    ...(historyFile !== undefined && { historyFile }),
  },
);

if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(process.cpuUsage()));
process.exitCode = exitCode;
