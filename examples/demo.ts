// A real turn from end to end: Parley's client starts Parley's coding agent in a temporary folder and asks it to read a
// file, edit it and run a command. No key and no network: the agent uses its offline model.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@parley/client';
import { spawnAgent } from '@parley/client/node';

const PROMPT = 'read greet.js, then replace "Hello" with "Good morning" in greet.js, then run `node greet.js`';

const folder = await mkdtemp(join(tmpdir(), 'parley-demo-'));
try {
  await writeFile(join(folder, 'greet.js'), "const name = 'Parley';\nconsole.log('Hello, ' + name + '!');\n");
  const program = fileURLToPath(new URL('coding-agent.ts', import.meta.url));
  const command = [...process.execArgv, program];
  await using connection = await connect(
    spawnAgent(process.execPath, command, { env: { ...process.env, PARLEY_MODEL: 'offline' } }),
    {
      permissions: { ask: () => 'allow' },
    },
  );
  console.log(`Connected to ${connection.agentInfo?.title ?? connection.agentInfo?.name} over a pipe. In ${folder}:\n`);
  console.log(`> ${PROMPT}\n`);

  const session = await connection.newSession({ cwd: folder });
  const turn = session.prompt(PROMPT);
  for await (const event of turn) {
    if (event.type === 'text') process.stdout.write(event.text);
    if (event.type === 'question') console.log('? The agent asks for permission; this demo says yes.');
    if (event.type !== 'tool_call') continue;
    const { title, status, content } = event.toolCall;
    if (status === 'in_progress') console.log(`* ${title}`);
    for (const item of status === 'completed' ? content : []) {
      if (item.type !== 'diff') continue;
      const [before, after] = [(item.oldText ?? '').split('\n'), item.newText.split('\n')];
      for (const line of before) if (!after.includes(line)) console.log(`  - ${line}`);
      for (const line of after) if (!before.includes(line)) console.log(`  + ${line}`);
    }
  }
  const { stopReason, toolCalls } = await turn.result;
  console.log(`\n\nDone (${stopReason}): ${toolCalls.length} tool calls, all real.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
