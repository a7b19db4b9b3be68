import type { Client, RequestOptions } from '@modelcontextprotocol/client';

/** More than any model or person could choose from. */
const MAX_LISTED = 500;

export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
}

export interface McpPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  /** The names of its arguments, in order. */
  readonly arguments: readonly string[];
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export async function listTools(client: Client, patience: RequestOptions): Promise<readonly McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  return allPages(async (cursor) => {
    const { tools, nextCursor } = await client.listTools(cursor, patience);
    const items = tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      isReadOnly: annotations?.readOnlyHint === true,
    }));
    return { items, nextCursor };
  });
}

/** A server that cannot list its prompts has none, and its tools all the same. */
export async function listPrompts(client: Client, patience: RequestOptions): Promise<readonly McpPrompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return [];
  return allPages(async (cursor) => {
    const { prompts, nextCursor } = await client.listPrompts(cursor, patience);
    const items = prompts.map(({ name, description, arguments: given = [] }) => ({
      name,
      description,
      arguments: given.map((argument) => argument.name),
    }));
    return { items, nextCursor };
  }).catch(() => []);
}

export async function listResources(client: Client, patience: RequestOptions): Promise<readonly McpResource[]> {
  return allPages(async (cursor) => {
    const { resources, nextCursor } = await client.listResources(cursor, patience);
    const items = resources.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType }));
    return { items, nextCursor };
  });
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

async function allPages<Item>(
  load: (cursor: { readonly cursor: string } | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await load(cursor === undefined ? undefined : { cursor });
    found.push(...items);
    cursor = nextCursor;
  } while (cursor !== undefined && found.length < MAX_LISTED);
  return found.slice(0, MAX_LISTED);
}
