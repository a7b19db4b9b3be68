// Parley's own coding agent with another agent as one of its tools: the model gives it tasks, and reads what came of them.
// Start it in an editor, with a key in the environment: node --import tsx --conditions=source examples/agents-as-tools.ts
import { fileURLToPath } from 'node:url';
import { spawnAgent } from '@parley/client/node';
import { createCodingAgent } from '@parley/coding-agent';
import { ownStdio } from '@parley/transports/stdio';

const echo = fileURLToPath(new URL('echo-agent.ts', import.meta.url));

await createCodingAgent({
  agents: {
    echo: {
      // The variables tell it how many agents have called each other by now.
      source: (env) => spawnAgent(process.execPath, ['--import', 'tsx', '--conditions=source', echo], { env }),
      description: 'Repeats what it is told.',
      maxToolCalls: 20,
      maxDurationMs: 60_000,
    },
  },
  permissions: { rules: ['agent__echo'] },
}).serve(ownStdio());
