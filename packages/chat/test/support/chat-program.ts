// Runs the chat with the agent that the first argument describes, as the command `parley` would.
import { writeFileSync } from 'node:fs';
import type { AgentConnection, ClientSession, ConnectOptions } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import type { ChatEnd, ChatOptions, OpenChatSessionOptions } from '../../src/conversation/chat-options.ts';
import { runChat } from '../../src/run-chat.ts';

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

/** Those of the command. */
const EXIT_CODES: { readonly [End in ChatEnd]: number } = {
  left: 0,
  readerGone: 1,
  agentDied: 6,
  outputFailed: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
};

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

const end = await runChat(
  {
    agent: { name: 'test', title: 'Test Agent', address: { kind: 'command', command, args } },
    source: spawnAgent(command, args, { cwd }),
    connect: () => ({ workspace: { roots: [cwd] }, terminals: true, ...connect }),
    session: { cwd },
    openSession,
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
process.exitCode = EXIT_CODES[end];

function openSession(connection: AgentConnection, { stored }: OpenChatSessionOptions): Promise<ClientSession> {
  const id = stored?.agentSessionId;
  return id === undefined ? connection.newSession({ cwd }) : connection.loadSession(id, { cwd });
}
