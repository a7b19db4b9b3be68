import type { McpServer } from '@parley/protocol';
import { requireAnswer, requireError, requireResult } from '../../probe/answer.ts';
import { sendNewSession } from '../../probe/session.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import type { CheckContext } from '../run/check-context.ts';
import { type WatchedMcpServer, watchHttpServer, watchStdioServer } from '../run/mcp-servers.ts';
import { toolUpdates } from './tool-calls.ts';

const group = 'mcp';
const source = 'protocol/v1/session-setup';

export const mcp: readonly Check[] = [
  check({
    id: 'MCP-01',
    level: 'MUST',
    group,
    source,
    rules: [55],
    says: 'session/new accepts an MCP server over stdio',
    async run({ session, agent, workspace }) {
      await session();
      await using watched = await watchStdioServer(workspace.helperDir);
      const answer = await sendNewSession(await agent(), { cwd: workspace.cwd, mcpServers: [watched.server] });
      requireResult(answer, 'session/new');
    },
  }),
  check({
    id: 'MCP-02',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [56],
    says: 'The agent connects to an MCP server over stdio',
    async run(context) {
      if (!context.words.takesStdioServers(context.facts)) notApplicable('The agent takes no servers over stdio.');
      await using watched = await watchStdioServer(context.workspace.helperDir);
      await requireVisit(context, watched);
    },
  }),
  check({
    id: 'MCP-03',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [55, 56],
    needs: 'agentCapabilities.mcpCapabilities.http',
    says: 'The agent connects to an MCP server over HTTP where that is advertised',
    async run(context) {
      await using watched = await watchHttpServer('http');
      await requireVisit(context, watched);
    },
  }),
  check({
    id: 'MCP-04',
    level: 'SHOULD',
    group,
    source,
    rules: [55, 56],
    needs: 'agentCapabilities.mcpCapabilities.sse',
    says: 'The agent connects to an MCP server over SSE where that is advertised',
    async run(context) {
      await using watched = await watchHttpServer('sse');
      await requireVisit(context, watched);
    },
  }),
  check({
    id: 'MCP-05',
    level: 'ROBUST',
    group,
    source,
    rules: [55],
    says: 'An MCP server of a kind that was not advertised is refused, not silently dropped',
    async run({ facts, session, abused, workspace }) {
      await session();
      const { http, sse } = facts.agentCapabilities?.mcpCapabilities ?? {};
      const type = http ? (sse ? undefined : 'sse') : 'http';
      if (!type) notApplicable('Every kind of MCP server is advertised.');
      const server: McpServer = { type, name: 'parley-unadvertised', url: 'http://127.0.0.1:9/', headers: [] };
      requireError(await sendNewSession(await abused(), { cwd: workspace.cwd, mcpServers: [server] }));
    },
  }),
  check({
    id: 'MCP-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'users lose whole sessions to one broken server',
    rules: [56],
    says: 'An MCP server that cannot be started does not bring the agent down',
    async run({ session, abused, workspace, words }) {
      await session();
      const probe = await abused();
      const server: McpServer = { name: 'parley-broken', command: '/parley/no/such/program', args: [], env: [] };
      requireAnswer(await sendNewSession(probe, { cwd: workspace.cwd, mcpServers: [words.mcpServer(server)] }));
      expect(await probe.ping(), 'further answers', 'none');
    },
  }),
];

/** Opens a session with the server, prompts once since some agents connect only then, and looks for the visit. */
async function requireVisit(context: CheckContext, { server, calls }: WatchedMcpServer): Promise<void> {
  const hasTools = await usesTools(context);
  const session = await context.newSession(undefined, { mcpServers: [context.words.mcpServer(server)] });
  const { quietMs, answerMs } = context.limits;
  const early = await calls(5 * quietMs);
  if (early.includes('initialize')) return;
  await session.prompt(context.prompts.plain);
  const seen = await calls(hasTools ? Math.min(answerMs, PATIENCE_MS) : 5 * quietMs);
  if (!seen.includes('initialize') && !hasTools) {
    notProvoked('The agent used no tool in this run, even when asked to, so it has no use for a server.');
  }
  expect(seen.includes('initialize'), 'MCP initialize at the server', seen.length === 0 ? 'no visit' : seen.join(', '));
}

/** How long an agent may take to come after its first turn with a server. */
const PATIENCE_MS = 3000;

async function usesTools({ hearings }: CheckContext): Promise<boolean> {
  return (await hearings()).some((hearing) => !toolUpdates(hearing)[Symbol.iterator]().next().done);
}
