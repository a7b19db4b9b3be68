import type { DialectName, DialectOptions, DialectSetting } from '@parley/dialects';
import type { Transport } from '@parley/jsonrpc';
import type { AgentWire } from './agent-source.ts';

/** A wire on whose far side a dialect may be spoken. */
export interface DialectWire {
  readonly transport: Transport;
  /** The dialect that is spoken, as far as it is known. */
  readonly dialect: () => DialectName;
  /** Secrets for the next `authenticate`, by method; only a dialect that carries them there takes them, once. */
  readonly credentials: Map<string, unknown>;
}

/** Puts a dialect on the wire to an agent. */
export async function openDialectWire(
  { transport, endpoint }: Pick<AgentWire, 'transport' | 'endpoint'>,
  setting: DialectSetting = 'canonical',
): Promise<DialectWire> {
  const given = typeof setting === 'string' ? { dialect: setting } : setting;
  const credentials = new Map<string, unknown>();
  let spoken: DialectName = 'canonical';
  const wire = { dialect: () => spoken, credentials };
  if (given.dialect === 'canonical') return { ...wire, transport };
  const options: DialectOptions = {
    ...(endpoint !== undefined && { endpoint }),
    ...given,
    giveCredentials(methodId) {
      const secret = credentials.get(methodId);
      credentials.delete(methodId);
      return secret ?? given.giveCredentials?.(methodId);
    },
    onDialect(choice) {
      const isNews = choice.dialect !== spoken;
      spoken = choice.dialect;
      if (isNews) given.onDialect?.(choice);
    },
  };
  const { speakDialect } = await import('@parley/dialects/speak');
  return { ...wire, transport: await speakDialect(transport, options) };
}
