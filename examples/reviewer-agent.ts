// An agent on one screen: it reads through the client, asks before it runs anything, and remembers its sessions.
// Let an editor start it: node --import tsx --conditions=source examples/reviewer-agent.ts
import { agent } from '@parley/agent';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';

const [path] = process.argv.slice(2); // where sessions are kept; without it, in the user's state folder

const reviewer = agent({ name: 'reviewer', version: '0.1.0', store: sqliteStore(path ? { path } : {}) })
  .mode({ id: 'ask', name: 'Ask', description: 'Asks before every command' })
  .mode({ id: 'trust', name: 'Trust', description: 'Never asks', permissions: 'bypassPermissions' })
  .option({ id: 'runner', name: 'Runner', values: ['npm', 'pnpm', 'yarn'] })
  .command({ name: 'review', description: 'Run the tests and plan what to do about them' })
  .onPrompt(async (turn) => {
    const { client, session } = turn;

    const read = turn.toolCall({ title: 'Read package.json', kind: 'read', locations: ['package.json'] });
    const text = await client.readTextFile('package.json').catch(() => undefined);
    if (text === undefined) {
      read.fail('It could not be read.');
      await turn.say('There is no package.json here that I can read, so there is nothing to review.');
      return 'end_turn';
    }
    read.complete({ text });
    const { name, scripts } = JSON.parse(text) as { name?: string; scripts?: Record<string, string> };
    if (!scripts?.test) {
      await turn.say(`${name ?? 'This project'} has no tests.`);
      return 'end_turn';
    }

    const command = String(session.options.runner);
    const rawInput = { command: `${command} test` };
    const test = turn.toolCall({ title: `${command} test`, kind: 'execute', rawInput });
    const decision = await turn.askPermission(test); // policy first, then the person; remembered
    if (!decision.allowed) {
      test.fail(decision.because);
      return 'end_turn';
    }
    await using terminal = await client.createTerminal({ command, args: ['test'], cwd: session.cwd });
    test.start({ terminal });
    const exit = await terminal.waitForExit();
    test.complete({ exit });

    if (exit.exitCode === 0) await turn.say('All tests pass.');
    else await turn.plan([{ content: 'Fix the failing test', status: 'pending', priority: 'high' }]);
    return 'end_turn';
  });

await reviewer.serve(ownStdio());
