import { PING_METHOD } from '../../probe/probe.ts';
import type { Scenario } from './scripted-agent.ts';

/** Updates of a flood. */
const FLOOD = 5000;

/** Things that no agent should do, and some do. After each, the client is asked whether it still listens. */
export const faults: readonly Scenario[] = [
  {
    name: 'bad-json',
    async turn(agent) {
      agent.probe.sendText('{"jsonrpc":"2.0","method":"session/upd');
      await agent.ask('after-bad-json', PING_METHOD, {});
    },
  },
  {
    name: 'noise',
    async turn(agent) {
      agent.probe.sendText('Warning: something is deprecated');
      agent.probe.sendText('');
      await agent.ask('after-noise', PING_METHOD, {});
    },
  },
  {
    name: 'batch',
    async turn(agent) {
      agent.probe.send([{ jsonrpc: '2.0', id: 'in-batch', method: PING_METHOD }]);
      await agent.ask('after-batch', PING_METHOD, {});
    },
  },
  {
    name: 'no-message',
    async turn(agent) {
      agent.probe.sendText('42');
      agent.probe.sendText('{"jsonrpc":"2.0"}');
      agent.probe.send({ jsonrpc: '2.0', id: 'never-asked', result: {} });
      await agent.ask('after-no-message', PING_METHOD, {});
    },
  },
  {
    name: 'crlf',
    async turn(agent) {
      const id = 'crlf';
      const answer = agent.probe.awaitAnswer(id);
      agent.probe.sendText(`${JSON.stringify({ jsonrpc: '2.0', id, method: PING_METHOD })}\r`);
      await answer;
    },
  },
  {
    name: 'odd-updates',
    async turn(agent) {
      const { probe } = agent;
      agent.update({ sessionUpdate: 'parley_future_update', anything: [1, 2] });
      agent.update({ sessionUpdate: 'agent_message_chunk' });
      agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 'never-announced', status: 'completed' });
      agent.announce({
        toolCallId: 'odd',
        title: 'Odd',
        kind: 'parley_kind',
        status: 7,
        locations: 'nowhere',
      });
      agent.update(
        { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text: 'For somebody else.' } },
        'parley-other-session',
      );
      probe.notify('_parley/unknown', { some: 'thing' });
      probe.notify('$/ping');
      probe.notify('session/update', 5);
      await agent.ask('after-odd-updates', PING_METHOD, {});
      agent.say('Still here?');
    },
  },
  {
    name: 'flood',
    async turn(agent) {
      for (let index = 0; index < FLOOD; index += 1) agent.say('x');
      agent.update({
        sessionUpdate: 'available_commands_update',
        availableCommands: [],
        _meta: { padding: 'x'.repeat(1024 * 1024) },
      });
      await agent.ask('after-flood', PING_METHOD, {});
    },
  },
  {
    name: 'death',
    async turn(agent) {
      agent.say('And then');
      agent.mark('done');
      // Let the words leave before the end.
      setTimeout(() => agent.die(), 50);
      await new Promise(() => {});
    },
  },
];
