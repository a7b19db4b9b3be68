import { resolve } from 'node:path';
import { usageError } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** The agent with what the flags say about dialling it; they count more than its settings. */
export function withDialFlags(
  agent: ResolvedAgent,
  { header = [], tokenFile, ca }: Pick<SharedFlags, 'header' | 'tokenFile' | 'ca'>,
  { cwd }: Pick<CliContext, 'cwd'>,
): ResolvedAgent {
  if (header.length === 0 && tokenFile === undefined && ca === undefined) return agent;
  const { address } = agent;
  if (address.kind === 'command')
    throw usageError('--header, --token-file and --ca are for agents on the network.', '--agent wss://host/acp');
  const { token, tokenFile: ownFile, tokenEnv, ...rest } = address;
  const ownToken = {
    ...(token !== undefined && { token }),
    ...(ownFile !== undefined && { tokenFile: ownFile }),
    ...(tokenEnv !== undefined && { tokenEnv }),
  };
  return {
    ...agent,
    address: {
      ...rest,
      headers: { ...address.headers, ...Object.fromEntries(header.map(readField)) },
      ...(tokenFile === undefined ? ownToken : { tokenFile: resolve(cwd, tokenFile) }),
      ...(ca !== undefined && { ca: resolve(cwd, ca) }),
    },
  };
}

function readField(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value.trim()];
  // Not the text itself: it may be a secret without its name.
  throw usageError('--header is a name, a colon and a value.', "--header 'X-Team: blue'");
}
