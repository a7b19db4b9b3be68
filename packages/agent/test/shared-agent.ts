import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';
import { agent } from '../src/index.ts';

/**
 * An agent whose sessions lie in the file that it is told, so that several of them share it. What it does with a prompt:
 *
 * - `count` counts the turns of the session;
 * - `wait` says so in the midst of a tool call, with a plan and in mode `code`, and goes on until it is cancelled;
 * - `sleep` goes on until its tool call is cancelled, and says so;
 * - `stream <n>` tells n plans, a few at a time, and waits between them;
 * - `flood <n>` tells n plans as fast as it may, and then waits until it is cancelled;
 * - `fill` fills the disk that is its current directory, and speaks until that fails; SIGUSR2 makes room again;
 * - `listen` says what it hears while it runs, until it hears `stop`;
 * - `ask` asks whether it may run a command, and says what it was told;
 * - `history` says what it remembers; anything else is said back.
 */
const [path = '', leaseMs] = process.argv.slice(2);

const YES_OR_NO = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no', name: 'No', kind: 'reject_once' as const },
];

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

const limits = leaseMs === undefined ? {} : { leaseMs: Number(leaseMs) };

process.on('SIGUSR2', () => rmSync('ballast'));

await agent({
  name: 'shared-agent',
  version: '1',
  store: sqliteStore({ path }),
  unstable: true,
  steering: true,
  limits,
})
  .mode({ id: 'ask', name: 'Ask' })
  .mode({ id: 'code', name: 'Code' })
  .onPrompt(async (turn) => {
    const { session, text, signal } = turn;
    const [word, count = '0'] = text.split(' ');
    const cancelled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (word === 'count') {
      session.state.turns = Number(session.state.turns ?? 0) + 1;
      await turn.say(`turn ${session.state.turns} in mode ${session.mode}`);
    } else if (word === 'wait') {
      turn.toolCall({ id: 'wait', title: 'Wait' }).start();
      await turn.plan([{ content: 'Wait', priority: 'low', status: 'in_progress' }]);
      turn.mode('code');
      await turn.say('waiting');
      await cancelled;
    } else if (word === 'sleep') {
      const call = turn.toolCall({ id: 'sleep', title: 'Sleep', cancellable: true });
      call.start();
      await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      call.cancel();
      await turn.say('awake');
    } else if (word === 'listen') {
      await turn.say('listening');
      for (let text = ''; text !== 'stop' && !signal.aborted; ) {
        for (const message of turn.takeMessages()) {
          text = message.text;
          await turn.say(`heard ${text}`);
        }
        await pause();
      }
    } else if (word === 'stream' || word === 'flood') {
      for (let index = 0; index < Number(count) && !signal.aborted; index++) {
        await turn.plan([{ content: `${index}`, priority: 'low', status: 'pending' }]);
        if (word === 'stream' && index % 10 === 0) await pause();
      }
      if (word === 'flood') await cancelled;
    } else if (word === 'fill') {
      fillDisk('ballast');
      while (!signal.aborted) await turn.say('x'.repeat(10_000));
    } else if (word === 'ask') {
      const call = turn.toolCall({ id: `ask-${turn.id}`, title: 'rm -rf build', kind: 'execute' });
      const { allowed } = await turn.askPermission(call, { options: YES_OR_NO });
      if (allowed) call.complete();
      else call.fail('No.');
      await turn.say(allowed ? 'allowed' : 'not allowed');
    } else if (word === 'history') {
      for await (const event of session.history()) {
        if (event.type === 'message_chunk' && event.content.type === 'text') await turn.say(`${event.content.text};`);
      }
    } else await turn.say(`You said: ${text}`);
  })
  .serve(ownStdio());

function fillDisk(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (const block = Buffer.alloc(4096); ; ) writeSync(descriptor, block);
  } catch {
    closeSync(descriptor);
  }
}
