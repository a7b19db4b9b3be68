// The agent that other implementations are let loose on; it does what the first word of a prompt says.

import { log } from 'node:console';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';
import { agent, type PromptHandler } from '../src/index.ts';

const [database] = process.argv.slice(2);

const deeds: Record<string, PromptHandler> = {
  say: async (turn) => {
    // Not a message, so it must not reach the wire.
    log('a stray line');
    process.stdout.write('another stray line\n');
    for (const word of turn.text.split(' ').slice(1)) void turn.say(`${word} `);
  },
  edit: async (turn) => {
    const path = turn.text.split(' ')[1] ?? '';
    const oldText = await turn.client.readTextFile(path);
    const newText = oldText.toUpperCase();
    const call = turn.toolCall({ title: `Edit ${path}`, kind: 'edit', diff: { path, oldText, newText } });
    const decision = await turn.askPermission(call);
    if (!decision.allowed) return call.fail(decision.because);
    call.start();
    await turn.client.writeTextFile(path, newText);
    call.complete();
  },
  run: async (turn) => {
    const [command = '', ...args] = turn.text.split(' ').slice(1);
    const call = turn.toolCall({ title: command, kind: 'execute', rawInput: { command, args } });
    await using terminal = await turn.client.createTerminal({ command, args });
    call.start({ terminal });
    const exit = await terminal.waitForExit();
    const { output } = await terminal.output();
    call.complete({ exit });
    void turn.say(output);
  },
  remove: async (turn) => {
    const call = turn.toolCall({ title: 'Remove it', kind: 'delete' });
    const { allowed } = await turn.askPermission(call);
    if (allowed) call.complete({ text: 'gone' });
    else call.fail('kept');
  },
  sleep: async (turn) => {
    const terminal = turn.showTerminal({ command: 'sleep 1000' });
    const call = turn.toolCall({ id: 'sleep', title: 'Sleep', kind: 'execute', terminal, cancellable: true });
    call.start();
    terminal.write('good night');
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
    terminal.exit({ signal: 'SIGTERM' });
    call.cancel();
    void turn.say('good morning');
  },
  settings: async (turn) => {
    const { mode, options } = turn.session;
    void turn.say(JSON.stringify({ mode, options }));
  },
  wait: async (turn) => {
    turn.toolCall({ title: 'Wait', kind: 'other' }).start();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    turn.signal.throwIfAborted();
  },
};

await agent({ name: 'interop', version: '1.0.0', ...(database && { store: sqliteStore({ path: database }) }) })
  .mode({ id: 'ask', name: 'Ask' })
  .mode({ id: 'edits', name: 'Accept edits', permissions: 'acceptEdits' })
  .option({ id: 'model', name: 'Model', category: 'model', values: ['small', 'large'] })
  .option({ id: 'fast', name: 'Fast', default: false })
  .command({ name: 'review', description: 'Review the diff' })
  .onPrompt(async (turn) => {
    await deeds[turn.text.split(' ')[0] ?? '']?.(turn);
  })
  .serve(ownStdio());
