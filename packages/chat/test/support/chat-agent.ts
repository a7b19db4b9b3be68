// An agent for the tests of the chat: the first word of a prompt tells what it does.
import { existsSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, type Turn, TurnError } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

const ACTS: Readonly<Record<string, (turn: Turn, words: readonly string[]) => Promise<void>>> = {
  async stream(turn, [count = '1000']) {
    for (let index = 0; index < Number(count); index += 1) {
      await turn.say(chunk(index));
      if (index % 50 === 49) await sleep(10);
    }
  },

  /** So many kilobytes without a blank line, in lines of a length; 0: all in one line. */
  async flood(turn, [kilobytes = '100', length = '60']) {
    const size = Number(kilobytes) * 1024;
    const width = Number(length) || size;
    let text = '';
    for (let line = 0; text.length < size; line += 1) {
      const head = `2026-11-16T21:00:00Z INFO [worker-${line}] `;
      text += `${head.padEnd(width - 1, 'handled_request *ok* <id> ').slice(0, width - 1)}\n`;
    }
    for (let place = 0; place < text.length; place += 4096) await turn.say(text.slice(place, place + 4096));
    await turn.say('\nEnd of the flood.');
  },

  async wait(turn) {
    await turn.say('Waiting for the end.');
    await sleep(60_000, undefined, { signal: turn.signal });
  },

  /** Says what it hears while it runs, until that is `stop`. */
  async listen(turn) {
    await turn.say('Listening.');
    for (let isOver = false; !isOver; ) {
      for (const { text } of turn.takeMessages()) {
        isOver = text === 'stop';
        await turn.say(`\n\nHeard: ${text}.\n\n`);
      }
      await sleep(20, undefined, { signal: turn.signal });
    }
  },

  async ask(turn) {
    const call = turn.toolCall({ title: 'Remove dist', kind: 'execute', rawInput: { command: 'rm -rf dist' } });
    const decision = await turn.askPermission(call);
    if (decision.allowed) call.complete({ text: 'removed' });
    else call.fail('not allowed');
    await turn.say(decision.allowed ? 'It was allowed.' : 'It was rejected.');
  },

  async edit(turn) {
    const path = `${turn.session.cwd}/retry.ts`;
    const diff = { path, oldText: 'a\nawait sleep(100)\nb\n', newText: 'a\nawait clock.sleep(100)\nb\n' };
    turn.toolCall({ title: 'Edit retry.ts', kind: 'edit', diff }).complete();
    await turn.say('Edited.');
  },

  async code(turn) {
    await turn.say('Look:\n\n```ts\nconst answer = 42;\n```\n\nThat was code.');
  },

  async run(turn) {
    const call = turn.toolCall({ title: 'Count', kind: 'execute' });
    const script = 'for (let i = 1; i <= 9; i++) console.log("\\x1b[32mrow " + i + "\\x1b[0m"); process.exitCode = 3';
    const terminal = await turn.client.createTerminal({ command: process.execPath, args: ['-e', script] });
    call.start({ terminal });
    await terminal.waitForExit();
    call.complete();
    await turn.say('Counted.');
  },

  async think(turn) {
    await turn.think('Secret considerations.');
    await turn.plan([
      { content: 'Read the tests', priority: 'high', status: 'completed' },
      { content: 'Inject a clock', priority: 'high', status: 'in_progress' },
    ]);
    await turn.usage({ used: 4100, size: 10_000, cost: { amount: 0.12, currency: 'USD' } });
    await turn.say('Thought about it.');
  },

  async form(turn) {
    const answer = await turn.client.elicit({
      message: 'How shall it be done?',
      form: {
        type: 'object',
        required: ['name', 'size'],
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2 },
          size: { type: 'integer', title: 'Size', minimum: 1, maximum: 9 },
          color: { type: 'string', title: 'Color', enum: ['red', 'green'] },
          fast: { type: 'boolean', title: 'Fast' },
          parts: { type: 'array', title: 'Parts', items: { type: 'string', enum: ['a', 'b', 'c'] } },
        },
      },
    });
    await turn.say(`Answer: ${JSON.stringify(answer)}`);
  },

  async evil(turn) {
    const trick = '\u001b[2J\u001b[H\u001b]2;owned\u0007? Waiting for you: everything is fine';
    const call = turn.toolCall({ title: `Run ${trick}`, kind: 'execute' });
    call.complete({ text: `${trick}\n\u001b[1A\u001b[31mred\u001b[0m` });
    await turn.say(`${trick}\n\nEnd of the trick.`);
  },

  async files(turn) {
    const kinds = turn.content.map((block) =>
      block.type === 'text' ? 'text' : `${block.type} ${'uri' in block ? block.uri : ''}`,
    );
    await turn.say(`Got: ${kinds.join(', ')}`);
  },

  async noise(turn) {
    writeSync(1, 'Welcome to the agent!\n');
    await turn.say('Made some noise.');
  },

  async pid(turn) {
    await turn.say(`My process is ${process.pid}`);
  },

  async fail() {
    throw new TurnError('Internal error', { data: { details: 'the model said no' } });
  },

  async die(turn) {
    await turn.say('Last words.');
    await sleep(50);
    process.exit(7);
  },
};

/** Markdown of all sorts, in which every chunk has a name of its own. */
function chunk(index: number): string {
  const name = `m${String(index).padStart(5, '0')}`;
  const place = index % 1000;
  if (place === 300) return `\n\n\`\`\`ts\n${name}\n`;
  if (place > 300 && place < 499) return place % 5 === 0 ? `${name};\n` : `${name}, `;
  if (place === 499) return `${name}\n\`\`\`\n\n`;
  if (place >= 600 && place < 700) return place % 10 === 0 ? `\n- ${name} ` : `${name} `;
  if (place === 700) return `\n\n## ${name}\n\n`;
  return place % 60 === 59 ? `${name}.\n\n` : place % 17 === 0 ? `**${name}** 漢字 ` : `${name} `;
}

const testAgent = agent({ name: 'test-agent', version: '1.0.0', steering: process.argv.includes('steering') })
  .mode({ id: 'ask', name: 'Ask' })
  .mode({ id: 'code', name: 'Code' })
  .option({ id: 'model', name: 'Model', category: 'model', values: ['small', 'large'] })
  .command({ name: 'review', description: 'Review the changes' })
  .accepts('resource')
  .onPrompt(async (turn) => {
    const [first = '', ...words] = turn.text.split(/\s+/);
    const act = ACTS[first];
    if (act) await act(turn, words);
    else await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  });

// With the argument `login`, it wants to be logged in to first.
if (process.argv.includes('login')) {
  testAgent
    .auth({ id: 'key', name: 'With a key' }, () => {})
    .auth({ id: 'web', name: 'In the browser' }, () => {})
    .auth({ id: 'broken', name: 'Broken' }, () => {
      throw new Error('nothing works here');
    })
    .requireAuth();
}

if (process.argv.includes('images')) testAgent.accepts('image');

// With the argument `slow`, it starts when the test says so, by a file.
while (process.argv.includes('slow') && !existsSync('start-now')) await sleep(20);

await testAgent.serve(ownStdio());
