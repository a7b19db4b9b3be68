import { PING_METHOD, sleep } from '../../probe/probe.ts';
import type { Scenario } from './scripted-agent.ts';
import { PERMISSION_OPTIONS } from './turns.ts';

/** How long a client gets to leave before its turn has ended. */
const HASTE_MS = 250;

/** What only an agent of version 2 does. */
export const secondVersion: readonly Scenario[] = [
  {
    name: 'repeated-idle',
    // The session was idle until now, and a snapshot of that may be told at any time.
    prompted(agent) {
      for (let times = 0; times < 3; times += 1) {
        agent.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
      }
    },
    async turn(agent) {
      await sleep(HASTE_MS);
      agent.say('Here it is.');
      await agent.ask('after-repeated-idle', PING_METHOD, {});
    },
  },
  {
    name: 'slow-turn',
    async turn(agent) {
      await sleep(HASTE_MS);
      agent.say('Here it is.');
    },
  },
  {
    name: 'upserts',
    async turn(agent) {
      const text = (words: string): object => ({ type: 'text', text: words });
      agent.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('One ') });
      agent.update({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('Two'), text('Three')] });
      agent.update({ sessionUpdate: 'agent_message', messageId: 'm' });
      agent.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text(' Four') });
      agent.update({ sessionUpdate: 'agent_message', messageId: 'm', content: null });
      agent.update({ sessionUpdate: 'agent_thought', messageId: 't', content: [] });
      agent.update({
        sessionUpdate: 'agent_message_chunk',
        messageId: 'n',
        content: { type: '_parley_song', notes: [1] },
      });
      const toolCallId = 'upserted';
      agent.announce({ toolCallId, title: 'Change', kind: '_parley_kind', status: 'paused' });
      const diff = {
        type: 'diff',
        changes: [
          { operation: 'add', path: '/a' },
          { operation: '_parley_fold', path: '/b' },
        ],
      };
      agent.update({ sessionUpdate: 'tool_call_content_chunk', toolCallId, content: diff });
      agent.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'cancelled', content: null, _meta: null });
      agent.update({ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } });
      agent.update({ sessionUpdate: 'plan_update', plan: { type: '_parley_map', planId: 'q', roads: [] } });
      agent.update({ sessionUpdate: 'state_update', state: '_parley_dreaming' });
      await agent.ask('after-upserts', PING_METHOD, {});
      agent.say('Done.');
    },
  },
  {
    name: 'terminal-output',
    async turn(agent) {
      const bytes = Buffer.from('naïve 😀\n');
      const terminalId = 'parley-terminal-1';
      agent.update({ sessionUpdate: 'terminal_update', terminalId, command: 'echo', cwd: '/', output: null });
      // Each chunk is base64 by itself, and a character may be cut in two.
      for (const part of [bytes.subarray(0, 3), bytes.subarray(3, 9), bytes.subarray(9)]) {
        agent.update({ sessionUpdate: 'terminal_output_chunk', terminalId, data: part.toString('base64') });
      }
      const data = bytes.toString('base64');
      agent.update({ sessionUpdate: 'terminal_update', terminalId, output: { data }, exitStatus: { exitCode: -1 } });
      agent.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 'parley-never-opened', data: '%' });
      await agent.ask('after-terminal-output', PING_METHOD, {});
      agent.say('Done.');
    },
  },
  {
    name: 'subjects',
    async turn(agent) {
      const { sessionId } = agent;
      const base = { sessionId, title: 'May I?', options: PERMISSION_OPTIONS };
      const subject = { type: 'command', command: 'rm -r build', cwd: '/' };
      await agent.ask('without-subject', 'session/request_permission', base);
      await agent.ask('command-subject', 'session/request_permission', { ...base, subject });
      await agent.ask('odd-subject', 'session/request_permission', {
        ...base,
        subject: { type: '_parley_pact', price: 1 },
      });
      agent.say('Done.');
    },
  },
];
