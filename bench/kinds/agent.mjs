// Parley's agent runtime, as somebody who writes an agent uses it; at the other end, Parley's connection.
import { agent } from '@parley/agent';
import { eventFromV1 } from '@parley/protocol';
import { ownStdio } from '@parley/transports/stdio';

export { startClient } from './parley.mjs';

export function startAgent({ onPrompt }) {
  return agent({ name: 'bench', version: '1' })
    .onPrompt((turn) => {
      let sent = 0;
      // Each begins a message of its own: pieces of one would be joined on their way, and less would be measured.
      const notify = ({ update }) => turn.update({ ...eventFromV1(update), messageId: `m${sent++}` });
      return onPrompt({ prompt: turn.content }, notify);
    })
    .serve(ownStdio());
}
