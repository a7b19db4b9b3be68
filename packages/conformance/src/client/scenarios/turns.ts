import type { Fields } from '../../messages/message.ts';
import { PING_METHOD, sleep } from '../../probe/probe.ts';
import type { Scenario, ScriptedAgent } from './scripted-agent.ts';

/** What a person may choose from. */
export const PERMISSION_OPTIONS: readonly Fields[] = [
  { optionId: 'parley-yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'parley-always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'parley-no', name: 'Reject', kind: 'reject_once' },
];

/** How long a client may keep a cancelled turn waiting for its signal. */
const CANCEL_MS = 4000;

/** How long a permission request is left open before the turn is cancelled. */
const PERMISSION_MS = 150;

/** What may happen in a turn. */
export const turns: readonly Scenario[] = [
  {
    name: 'unknown-requests',
    async turn(agent) {
      await agent.ask('unknown-custom', '_parley/unknown', { some: 'thing' });
      await agent.ask('unknown-method', 'craft/drainMidTurnQueue', {});
      await agent.ask(0, PING_METHOD, {});
      await agent.ask('0', PING_METHOD, {});
      agent.say('Done.');
    },
  },
  {
    name: 'same-ids',
    async turn(agent) {
      const id = typeof agent.promptId === 'number' || typeof agent.promptId === 'string' ? agent.promptId : 0;
      await agent.ask(id, PING_METHOD, {});
      agent.say('Done.');
    },
  },
  {
    name: 'permission',
    async turn(agent) {
      agent.announce({ toolCallId: 'permission', title: 'Remove everything', kind: 'delete' });
      await agent.ask('permission', 'session/request_permission', permission(agent, 'permission'));
      await agent.ask('bad-permission', 'session/request_permission', {
        sessionId: agent.sessionId,
        toolCall: { toolCallId: 'x' },
        title: 'Without a choice',
      });
      agent.say('Done.');
    },
  },
  {
    name: 'cancel-request',
    async turn(agent) {
      const asked = agent.ask('to-cancel', 'session/request_permission', permission(agent, 'to-cancel'));
      agent.probe.notify('$/cancel_request', { requestId: 'to-cancel' });
      await asked;
      agent.probe.notify('$/cancel_request', { requestId: 'to-cancel' });
      agent.probe.notify('$/cancel_request', { requestId: 'never-asked' });
      await agent.ask('after-cancel', PING_METHOD, {});
    },
  },
  {
    name: 'cancel-turn',
    signal: 'SIGINT',
    async turn(agent) {
      agent.say('This takes long. ');
      agent.mark('signal');
      if (!(await isCancelled(agent))) return 'end_turn';
      agent.announce({ toolCallId: 'late', title: 'Late', kind: 'edit' });
      await agent.ask('late-permission', 'session/request_permission', permission(agent, 'late'));
      agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 'late', status: 'failed' });
      agent.say('Stopped.');
      return 'cancelled';
    },
  },
  {
    name: 'cancel-permission',
    signal: 'SIGINT',
    async turn(agent) {
      agent.announce({ toolCallId: 'held', title: 'Hold', kind: 'edit' });
      const asked = agent.ask('held-permission', 'session/request_permission', permission(agent, 'held'));
      await Promise.race([asked, sleep(PERMISSION_MS)]);
      agent.mark('signal');
      if (!(await isCancelled(agent))) return 'end_turn';
      await asked;
      return 'cancelled';
    },
  },
];

/** A permission request of the version that is spoken. */
export function permission({ sessionId, protocol }: ScriptedAgent, toolCallId: string): Fields {
  const toolCall = { toolCallId, title: 'Remove everything', kind: 'delete', rawInput: { path: '/' } };
  if (protocol === 1) return { sessionId, toolCall, options: PERMISSION_OPTIONS };
  return { sessionId, title: toolCall.title, subject: { type: 'tool_call', toolCall }, options: PERMISSION_OPTIONS };
}

async function isCancelled(agent: ScriptedAgent): Promise<boolean> {
  return Promise.race([agent.cancelled.then(() => true), sleep(CANCEL_MS).then(() => false)]);
}
