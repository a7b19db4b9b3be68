import { RpcError } from '@parley/jsonrpc';
import type { ServedClient } from '../../service/served-client.ts';
import type { PromptOptions } from '../../session/prompt-options.ts';
import type { Prompt } from '../../turn/prompt.ts';
import type { V2ClientPeer } from './v2-peer.ts';

/**
 * Has a prompt run, and resolves with its id as soon as it is part of the conversation: how the turn ends is told by the state of
 * the session. Rejects where the prompt never got there.
 */
export function runToInsertion(
  { client, peer }: { readonly client: ServedClient; readonly peer: V2ClientPeer },
  sessionId: string,
  prompt: Prompt,
  options: Pick<PromptOptions, 'signal' | 'whenBusy'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let inserted: string | undefined;
    const onInserted = (promptId: string, turnId: string): void => {
      inserted = turnId;
      resolve(promptId);
    };
    client.prompt(sessionId, prompt, { ...options, onInserted }).then(
      ({ stopReason }) => {
        if (inserted === undefined) reject(RpcError.requestCancelled());
        else peer.ensureIdle(sessionId, { type: 'state', state: 'idle', turnId: inserted, stopReason });
      },
      (error: unknown) => {
        reject(error);
        if (inserted === undefined) return;
        const { code, message } = error instanceof RpcError ? error : RpcError.internalError();
        peer.ensureIdle(sessionId, { type: 'state', state: 'idle', turnId: inserted, error: { code, message } });
      },
    );
  });
}
