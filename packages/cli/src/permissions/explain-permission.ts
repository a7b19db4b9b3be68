import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { nodeHost } from '@parley/client/node';
import { usageError } from '@parley/host/command-line';
import {
  createPolicy,
  decide,
  describeLine,
  explain,
  explainAsData,
  parseRule,
  parseRules,
  type Rule,
  type ToolRequest,
} from '@parley/policy';
import type { ToolKind } from '@parley/protocol';
import { createStyles, hasColor } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { choosePermissions } from './choose-permissions.ts';
import { createRememberedFile, rememberedFile } from './remembered-file.ts';

export interface ExplainFlags extends SharedFlags {
  readonly rule?: readonly string[];
  readonly command?: string;
  readonly tool?: string;
  readonly kind?: string;
  readonly path?: readonly string[];
  readonly url?: string;
  readonly onlyRules?: boolean;
  readonly json?: boolean;
}

/** Prints the decision on a request, the rule that decides, and the part of the request that decides. */
export async function explainPermission(flags: ExplainFlags, context: CliContext): Promise<void> {
  const request = readRequest(flags);
  const cwd = resolve(context.cwd, flags.cwd ?? '.');
  const loaded = await loadConfig(context, cwd);
  const config = flags.onlyRules || flags.rule ? {} : loaded.config;
  const { mode, rules } = await choosePermissions(flags, config, cwd);
  const fromFlags: Rule[] = [
    ...(flags.rule ?? []).map((text) => parseRule(text, COMMAND_LINE)),
    ...parseRules({ allow: flags.allow ?? [], ask: flags.ask ?? [], deny: flags.deny ?? [] }, COMMAND_LINE),
  ];
  const isBare = flags.onlyRules === true || flags.rule !== undefined;
  const policy = createPolicy({
    workspace: {
      cwd,
      home: homedir(),
      ...(nodeHost.realPath && { realPath: nodeHost.realPath }),
      ...(nodeHost.listFolder && { listFolder: nodeHost.listFolder }),
    },
    ...(nodeHost.shell && { shell: nodeHost.shell }),
    mode,
    rules: isBare ? fromFlags : parseRules(rules, { scope: 'user', file: loaded.places.config }),
    remembered: isBare ? [] : await createRememberedFile(rememberedFile(loaded.places)).list({ project: cwd }),
  });
  const decision = decide(policy, request);
  const line =
    flags.command === undefined
      ? undefined
      : describeLine(flags.command, {
          directories: [cwd],
          home: homedir(),
          shell: nodeHost.shell === 'bash' ? 'bash' : 'any',
        });
  if (flags.json) {
    const data = {
      schema: 1,
      ...explainAsData(decision),
      ...(line && { grammar: line.constructs, programs: line.programs }),
    };
    return void context.stdout.write(`${JSON.stringify(data)}\n`);
  }
  const { good, bad, warning, dim } = createStyles(hasColor(context, context.stdout, flags));
  const paint = { allow: good, ask: warning, deny: bad };
  context.stdout.write(`${paint[decision.verdict](explain(decision))}\n`);
  for (const { text, verdict, reason } of decision.parts.length < 2 ? [] : decision.parts) {
    context.stdout.write(`  ${paint[verdict](verdict.padEnd(5))} ${text} ${dim(`(${reason})`)}\n`);
  }
  if (line === undefined) return;
  context.stdout.write(dim(`  grammar:  ${line.constructs.join(', ')}\n`));
  if (line.programs.length === 0) return;
  context.stdout.write(dim(`  programs: ${line.programs.map(({ name, form }) => `${name} (${form})`).join(', ')}\n`));
}

const COMMAND_LINE = { scope: 'command-line', file: 'command line' } as const;

const KINDS: readonly ToolKind[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];

function readRequest({ command, tool = '', kind, path, url }: ExplainFlags): ToolRequest {
  if (command === undefined && tool === '' && kind === undefined && path === undefined && url === undefined) {
    throw usageError(
      'What should be explained? Give --command, --tool, --kind, --path or --url.',
      "parley permissions explain --command 'git push'",
    );
  }
  const known = KINDS.find((each) => each === kind);
  if (kind !== undefined && !known) throw usageError(`There is no kind "${kind}"; there are ${KINDS.join(', ')}.`);
  const guessed =
    known ??
    (command !== undefined ? 'execute' : url !== undefined ? 'fetch' : path && tool === '' ? 'read' : undefined);
  return {
    tool,
    ...(guessed && { kind: guessed }),
    ...(command !== undefined && { command: { type: 'line', line: command } }),
    ...(path && { paths: path }),
    ...(url !== undefined && { url }),
  };
}
