import type { AgentConnection, ClientDiagnostic } from '@parley/client';
import type { ProtocolQuality } from '../formats/attempt.ts';

/** Most problems that are kept in words; all are counted. */
const MAX_PROBLEMS = 10;

/** What a diagnostic says about the agent. Those that are not here tell of this side, or of what agents may do. */
const COUNTED: Partial<Readonly<Record<ClientDiagnostic['kind'], 'invalidMessages' | 'brokenRules' | 'retries'>>> = {
  invalid_input: 'invalidMessages',
  invalid_message: 'invalidMessages',
  message_too_large: 'invalidMessages',
  malformed_response: 'invalidMessages',
  duplicate_id: 'brokenRules',
  unsolicited_response: 'brokenRules',
  unknown_notification: 'brokenRules',
  session_lost: 'brokenRules',
  retrying: 'retries',
};

/** Counts where an agent does not keep to the protocol. */
export class ProtocolCounter {
  #counts = { invalidMessages: 0, brokenRules: 0, retries: 0 };
  #problems: string[] = [];
  #facts: Pick<ProtocolQuality, 'version' | 'noiseLines' | 'foreignUpdates'> = { noiseLines: 0, foreignUpdates: 0 };

  add({ kind, message, suppressed }: ClientDiagnostic): void {
    const counted = COUNTED[kind];
    if (counted === undefined) return;
    this.#counts[counted] += 1 + suppressed;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(message);
  }

  /** Takes what the connection has counted itself. */
  finish({ counts, protocolVersion }: AgentConnection): void {
    this.#facts = { version: protocolVersion, noiseLines: counts.noiseLines, foreignUpdates: counts.foreignUpdates };
  }

  get quality(): ProtocolQuality {
    return {
      ...this.#facts,
      ...this.#counts,
      ...(this.#problems.length > 0 && { problems: this.#problems }),
    };
  }
}
