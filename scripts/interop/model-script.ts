import type { Reply } from '@parley/testing/fake-model-server';

/** Words in a prompt that tell the fake model what to do. */
export const RUN_COMMAND = 'PARLEY-RUN';
/** The same for one that never asks, and must not be told to. */
export const RUN_PLAINLY = 'PARLEY-RUN-PLAINLY';
export const KEEP_TALKING = 'PARLEY-WAIT';
export const SAY_HELLO = 'PARLEY-HELLO';
/** The model starts a sub-agent, in the background where the agent can, and that runs a command. */
export const DELEGATE = 'PARLEY-DELEGATE';
const DELEGATED = 'PARLEY-CHILD';

/** What the command that the model runs leaves in the workspace. */
export const COMMAND = 'echo done-by-agent > made-by-agent.txt';
export const MADE_FILE = 'made-by-agent.txt';
export const SUBAGENT_FILE = 'made-by-subagent.txt';

const call = (tool: string, input: unknown): Reply => ({
  when: { contains: RUN_COMMAND, tool, hasToolResult: false },
  events: [
    { type: 'text', text: 'I will run it.' },
    { type: 'tool_call', name: tool, input },
    { type: 'stop', reason: 'tool_use' },
  ],
});

/**
 * Each agent calls its shell another name; the fake model takes the one that it is offered. The last prompt comes first: an
 * agent may put a cancelled prompt and the next one into one message.
 */
export const MODEL_SCRIPT: readonly Reply[] = [
  { when: { contains: SAY_HELLO }, repeat: true, events: [{ type: 'text', text: 'Hello again.' }] },
  {
    when: { contains: KEEP_TALKING },
    repeat: true,
    events: [{ type: 'text', text: 'Let me think about that' }, { type: 'stall' }],
  },
  { when: { hasToolResult: true }, repeat: true, events: [{ type: 'text', text: 'The command has run.' }] },
  {
    when: { contains: DELEGATED, tool: 'Bash', hasToolResult: false },
    events: [
      { type: 'tool_call', name: 'Bash', input: { command: `touch ${SUBAGENT_FILE}`, description: 'Makes a file' } },
      { type: 'stop', reason: 'tool_use' },
    ],
  },
  {
    when: { contains: DELEGATE, tool: 'Agent', hasToolResult: false },
    events: [
      {
        type: 'tool_call',
        name: 'Agent',
        input: {
          description: 'Make a file',
          prompt: `Make a file. ${DELEGATED}`,
          subagent_type: 'general-purpose',
          run_in_background: true,
        },
      },
      { type: 'stop', reason: 'tool_use' },
    ],
  },
  {
    when: { contains: RUN_PLAINLY, tool: 'exec_command', hasToolResult: false },
    events: [
      { type: 'text', text: 'I will run it.' },
      { type: 'tool_call', name: 'exec_command', input: { cmd: COMMAND } },
      { type: 'stop', reason: 'tool_use' },
    ],
  },
  call('run_shell_command', { command: COMMAND, description: 'Makes a file', is_background: false }),
  call('Bash', { command: COMMAND, description: 'Makes a file' }),
  call('bash', { command: COMMAND, description: 'Makes a file' }),
  call('shell', { command: ['bash', '-lc', COMMAND] }),
  call('shell_command', { command: COMMAND }),
  // One that keeps to its sandbox asks only before it leaves that.
  call('exec_command', { cmd: COMMAND, sandbox_permissions: 'require_escalated', justification: 'It makes a file.' }),
];
