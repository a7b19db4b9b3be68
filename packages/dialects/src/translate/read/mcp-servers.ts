import { type Fields, isRecord } from '../../fields.ts';
import { readPairs } from '../../pairs.ts';
import { keepFacts, restore } from '../kept-facts.ts';

/** MCP servers as a list (most), as a map by name (S2:338), or left out (S0:260, S2:123), as the canonical list. */
export function readMcpServers(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return readList(value);
  if (!isRecord(value)) return value;
  return readList(Object.entries(value).map(([name, server]) => (isRecord(server) ? { name, ...server } : server)));
}

function readList(servers: readonly unknown[]): readonly unknown[] {
  const names = new Map<unknown, number>(servers.map((server) => [isRecord(server) ? server.name : undefined, 1]));
  return servers.map((server, index) => {
    if (!isRecord(server)) return server;
    const read = readServer(server);
    if (read.name !== undefined) return read;
    const name = uniqueName(suggestName(read) ?? `mcp-${index + 1}`, names);
    return keepFacts({ ...read, name }, { derived: ['name'] });
  });
}

/** S4:226 tags with `transport`; S0:391 and S3:366 write the type `stdio`, which canonically is the absence of one. */
function readServer(server: Fields): Fields {
  const { type: ownType, transport, ...rest } = server;
  const type = ownType ?? transport;
  if (type !== undefined && type !== 'stdio') {
    return restore({ ...rest, type, headers: readPairs(rest.headers ?? []) });
  }
  if (rest.command === undefined) return server;
  return restore({ ...rest, args: rest.args ?? [], env: readPairs(rest.env ?? []) });
}

/** The program's file name, or the host of the address. */
function suggestName(server: Fields): string | undefined {
  const { command, url } = server;
  if (typeof command === 'string')
    return (
      command
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.(exe|cmd|bat)$/i, '') || undefined
    );
  if (typeof url === 'string' && URL.canParse(url)) return new URL(url).hostname || undefined;
  return undefined;
}

/** Counts how often a name was taken, so that many alike cost no more than many different ones. */
export function uniqueName(name: string, taken: Map<unknown, number>): string {
  let count = taken.get(name) ?? 0;
  let unique = count === 0 ? name : `${name}-${++count}`;
  while (unique !== name && taken.has(unique)) unique = `${name}-${++count}`;
  taken.set(name, Math.max(count, 1));
  if (unique !== name) taken.set(unique, 1);
  return unique;
}
