import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canReadTextFile, canUseTerminals, canWriteTextFile } from '@parley/protocol';
import { fieldsOf } from '../../messages/message.ts';
import type { Scenario, ScriptedAgent } from './scripted-agent.ts';

/** A file that the scenarios may write; it lies in the session's own folder. */
export const SCRATCH_FILE = 'parley-check-scratch.txt';
export const SCRATCH_TEXT = 'one\ntwo\nthree\nfour\n';

/** What a client does for an agent: files, terminals, questions. What it does not offer is asked for all the same. */
export const services: readonly Scenario[] = [
  {
    name: 'files',
    async turn(agent) {
      const { sessionId, cwd, client } = agent;
      const path = join(cwd, SCRATCH_FILE);
      if (canReadTextFile(client) || canWriteTextFile(client)) await writeFile(path, SCRATCH_TEXT);
      await agent.ask('read', 'fs/read_text_file', { sessionId, path });
      await agent.ask('read-lines', 'fs/read_text_file', { sessionId, path, line: 2, limit: 2 });
      await agent.ask('read-missing', 'fs/read_text_file', { sessionId, path: join(cwd, 'parley-no-such-file.txt') });
      await agent.ask('read-relative', 'fs/read_text_file', { sessionId, path: SCRATCH_FILE });
      await agent.ask('write', 'fs/write_text_file', { sessionId, path, content: 'five\n' });
      const content = canWriteTextFile(client) ? await readFile(path, 'utf8').catch(() => '') : '';
      agent.probe.notify('_parley/on_disk', { content });
      agent.say('Done.');
    },
  },
  {
    name: 'terminals',
    async turn(agent) {
      const { sessionId, cwd } = agent;
      const create = { sessionId, command: process.execPath, cwd };
      const slow = await start(agent, 'create', {
        ...create,
        args: ['-e', 'console.log("begun"); setTimeout(() => process.exit(3), 400)'],
      });
      await agent.ask('output-running', 'terminal/output', { sessionId, terminalId: slow });
      const waiting = ['wait-1', 'wait-2'].map((id) =>
        agent.ask(id, 'terminal/wait_for_exit', { sessionId, terminalId: slow }),
      );
      await Promise.all(waiting);
      await agent.ask('output-exited', 'terminal/output', { sessionId, terminalId: slow });
      await agent.ask('release', 'terminal/release', { sessionId, terminalId: slow });
      await agent.ask('output-released', 'terminal/output', { sessionId, terminalId: slow });
      if (!canUseTerminals(agent.client)) return;

      const endless = await start(agent, 'create-endless', { ...create, args: ['-e', 'setInterval(() => {}, 1000)'] });
      await agent.ask('kill', 'terminal/kill', { sessionId, terminalId: endless });
      await agent.ask('wait-killed', 'terminal/wait_for_exit', { sessionId, terminalId: endless });
      await agent.ask('output-killed', 'terminal/output', { sessionId, terminalId: endless });
      await agent.ask('release-killed', 'terminal/release', { sessionId, terminalId: endless });

      const wide = await start(agent, 'create-wide', {
        ...create,
        args: ['-e', 'process.stdout.write("€".repeat(40))'],
        outputByteLimit: 10,
      });
      await agent.ask('wait-wide', 'terminal/wait_for_exit', { sessionId, terminalId: wide });
      await agent.ask('output-wide', 'terminal/output', { sessionId, terminalId: wide });
      await agent.ask('release-wide', 'terminal/release', { sessionId, terminalId: wide });
    },
  },
  {
    name: 'elicitation',
    async turn(agent) {
      const { sessionId } = agent;
      const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
      await agent.ask('form', 'elicitation/create', {
        mode: 'form',
        sessionId,
        message: 'Which colour?',
        requestedSchema,
      });
      await agent.ask('url', 'elicitation/create', {
        mode: 'url',
        sessionId,
        message: 'Look here',
        elicitationId: 'e1',
        url: 'https://example.com/',
      });
      agent.probe.notify('elicitation/complete', { elicitationId: 'parley-never-begun' });
      await agent.ask('after-elicitation', '_parley/ping', {});
      agent.say('Done.');
    },
  },
];

async function start(agent: ScriptedAgent, id: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
  const answer = await agent.ask(id, 'terminal/create', params);
  return answer.kind === 'result' ? fieldsOf(answer.result).terminalId : 'none';
}
