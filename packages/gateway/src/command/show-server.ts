import type { CommandContext } from '@parley/host/command-line';
import { quoteWord } from '@parley/host/terminal';
import { createStyles, formatTable, hasColor } from '@parley/terminal';
import type { ListenToken } from './listen/listen-token.ts';
import type { ServedAgents } from './served-agents.ts';

/** A server that listens, as it is told to people and scripts. */
export interface ShownServer {
  /** Where the default agent is dialled. */
  readonly url: string;
  readonly port: number;
  readonly urlOf: (name: string) => string;
  /** Where the page is; undefined where none is served. */
  readonly pageUrl: string | undefined;
  /** An address with the token in it. */
  readonly linkTo: (url: string) => string;
  /** The person wants the page now, and gets its link with the token. */
  readonly isOpened: boolean;
  /** Where other machines dial it, if they can. */
  readonly elsewhere: readonly string[];
  readonly hosted: ServedAgents;
  readonly token: ListenToken;
  /** The names of all who are let in. */
  readonly principals: readonly string[];
  /** The file that sessions are in; undefined in memory. */
  readonly storePath: string | undefined;
  /** The file that leads local tools to it. */
  readonly portFile: string | undefined;
}

/** One line for scripts. */
export function serverFacts(server: ShownServer): string {
  const { url, pageUrl, port, urlOf, hosted, token, storePath, portFile } = server;
  const facts = {
    schema: 1,
    url,
    page: pageUrl,
    token: token.token,
    pid: process.pid,
    port,
    defaultAgent: hosted.defaultAgent,
    agents: Object.fromEntries(hosted.agents.map(({ name }) => [name, urlOf(name)])),
    tokenFile: token.tokenFile,
    portFile,
    store: storePath,
  };
  return `${JSON.stringify(facts)}\n`;
}

/** What a person sees who has started a server: where the agents are, the link, and how to connect. */
export function describeServer(
  server: ShownServer,
  context: CommandContext,
  flags: { readonly color?: boolean },
): string {
  const { bold, dim, warning } = createStyles(hasColor(context, context.stdout, flags));
  const { url, urlOf, elsewhere, hosted, token, principals, storePath } = server;
  const { agents, defaultAgent } = hosted;
  const rows = agents.map(({ name, agent, problem }) => [
    `  ${name}`,
    name === defaultAgent ? url : urlOf(name),
    problem === undefined ? dim(noteOf(name === defaultAgent, agent !== undefined)) : warning(problem),
  ]);
  const isSocket = url.startsWith('unix:');
  const other = agents.find(({ name, problem }) => name !== defaultAgent && problem === undefined);
  const lines = [
    `${bold(agents.length === 1 ? 'One agent is served' : `${agents.length} agents are served`)}; Ctrl-C ends it.`,
    formatTable(rows).trimEnd(),
    '',
    ...linkLines(server, bold),
    `Token:         ${token.tokenFile === undefined ? 'that of PARLEY_TOKEN' : token.tokenFile}`,
    ...(elsewhere.length > 0 ? [`Elsewhere:     ${elsewhere.join(', ')}`] : []),
    ...(principals.length > 1 ? [`Also let in:   ${principals.slice(1).join(', ')}`] : []),
    `Sessions:      ${storePath ?? 'in memory; they are gone with the server'}`,
    ...(isSocket ? [] : connectLines({ url, tokenFile: token.tokenFile, other: other?.name })),
    '',
  ];
  return lines.join('\n');
}

/** The link has the token in it, so that it is shown when that is new, and to who asks for the page. */
function linkLines(
  { url, pageUrl, linkTo, isOpened, token }: ShownServer,
  bold: (text: string) => string,
): readonly string[] {
  if (url.startsWith('unix:')) return [];
  const agent = linkTo(url);
  if (pageUrl === undefined) return token.isNew ? [`Link, shown this once:  ${bold(agent)}`] : [];
  const page = linkTo(pageUrl);
  if (token.isNew) return [`In a browser, shown this once:  ${bold(page)}`, `For --agent, the same:          ${agent}`];
  return [`In a browser:  ${isOpened ? bold(page) : `${bold(pageUrl)}   (--open opens it with the token)`}`];
}

function noteOf(isDefault: boolean, isForeign: boolean): string {
  const start = isForeign ? 'starts with its first client' : 'in this process';
  return isDefault ? `the default; ${start}` : start;
}

function connectLines({
  url,
  tokenFile,
  other,
}: {
  readonly url: string;
  readonly tokenFile: string | undefined;
  readonly other: string | undefined;
}): readonly string[] {
  const file = tokenFile === undefined ? '' : ` --token-file ${quoteWord(tokenFile)}`;
  return [
    `Talk to it:    parley --agent local${other === undefined ? '' : `   (or local/${other})`}`,
    `An editor:     parley connect ${url}${file}`,
  ];
}
