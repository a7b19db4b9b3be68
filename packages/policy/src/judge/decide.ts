import type { ToolKind } from '@parley/protocol';
import { requestKey } from '../memory/request-key.ts';
import { FILE_KINDS, PERMISSION_MODES, READING_KINDS } from '../modes/permission-modes.ts';
import { alwaysAsks, isAvailable } from '../modes/tool-sets.ts';
import type { CommandInput, ToolRequest } from '../request/request.ts';
import { levelOfKind } from '../request/safety.ts';
import { isMcpName, kindOfName } from '../request/tool-class.ts';
import { pathTarget } from '../rules/target.ts';
import type { Part } from '../shell/analysis.ts';
import { type ReadOptions, readArguments, readCommandLine } from '../shell/read-command-line.ts';
import type { Setting } from '../shell/state.ts';
import { literalWord } from '../shell/words/shell-word.ts';
import { resolvePath } from '../workspace/paths.ts';
import { type Decision, type Finding, strictest } from './decision.ts';
import { explainAll, explainFinding } from './explain.ts';
import { judgePart } from './judge-command.ts';
import { type FileOperation, judgeFile, judgeHard } from './judge-file.ts';
import { judgeFetch, judgeName } from './judge-tool.ts';
import type { Policy } from './policy.ts';

/** Decides one request: deny rules first, then what asks, then what allows, then the mode; without a yes it asks. */
export function decide(policy: Policy, request: ToolRequest): Decision {
  const kinds = kindsOf(request);
  const findings = judge(policy, request, kinds);
  const found = strictest(findings) ?? { verdict: 'ask', reason: 'no-rule', text: request.title ?? request.tool };
  const settled = applyMode(policy, kinds, applyMemory(policy, request, applyToolSets(policy, request, found)));
  const final: Finding =
    settled.verdict === 'ask' && !policy.canAsk
      ? { ...settled, verdict: 'deny', reason: 'nobody-to-ask', detail: explainFinding(settled) }
      : settled;
  return {
    verdict: final.verdict,
    reason: final.reason,
    because: explainAll(findings, policy.mode, final),
    ...(final.rule ? { rule: final.rule, source: final.rule.source } : {}),
    part: final.text,
    ...(final.detail === undefined ? {} : { detail: final.detail }),
    parts: findings,
    canRemember: REMEMBERED_REASONS.has(settled.reason),
    level: request.level ?? request.claimedLevel ?? levelOfKind(kinds[0] ?? 'other'),
    ...(request.hints ? { hints: request.hints } : {}),
  };
}

/** What a request is: what it says, what its name says, and what it carries. Where they differ, all of it counts. */
export function kindsOf(request: ToolRequest): readonly ToolKind[] {
  const { carries = [] } = request;
  if (request.command !== undefined) return ['execute', ...carries];
  const named = isMcpName(request.tool) ? undefined : kindOfName(request.tool);
  const kinds = new Set(
    [named, request.kind, ...carries].filter((kind): kind is ToolKind => kind !== undefined && kind !== 'other'),
  );
  return kinds.size === 0 ? ['other'] : [...kinds];
}

function judge(policy: Policy, request: ToolRequest, kinds: readonly ToolKind[]): readonly Finding[] {
  const missing = policy.toolSets.find((set) => !isAvailable(set, factsOf(request, kinds)));
  if (missing)
    return [{ verdict: 'deny', reason: 'tool-set', text: request.tool || (kinds[0] ?? 'other'), detail: missing.name }];
  if (request.isUnclear !== undefined)
    return [
      {
        verdict: 'ask',
        reason: policy.hasDenyRules ? 'may-be-denied' : 'opaque',
        text: request.title ?? request.tool,
        detail: request.isUnclear,
      },
    ];
  if (isMcpName(request.tool)) return [judgeName(policy, request, kinds), ...judgeAgainst(policy, request, kinds)];
  const [only] = kinds;
  return kinds.length === 1 && only
    ? judgeKind(policy, request, only)
    : kinds.flatMap((kind) => judgeKind(policy, request, kind));
}

function judgeKind(policy: Policy, request: ToolRequest, kind: ToolKind): readonly Finding[] {
  switch (kind) {
    case 'execute':
      return judgeCommandInput(policy, request);
    case 'read':
    case 'search':
    case 'edit':
    case 'delete':
    case 'move':
      return judgePaths(policy, request, kind);
    case 'fetch':
      return [judgeFetch(policy, request), ...judgeTouched(policy, request)];
    case 'switch_mode':
      return [
        strictest([
          judgeName(policy, request, [kind]),
          { verdict: 'ask', reason: 'mode-switch', text: request.title ?? request.tool },
        ]) ?? judgeName(policy, request, [kind]),
      ];
    default:
      return [judgeName(policy, request, [kind]), ...judgeTouched(policy, request)];
  }
}

/** An external tool is allowed by its name, but what it carries may still be denied or asked about. */
function judgeAgainst(policy: Policy, request: ToolRequest, kinds: readonly ToolKind[]): readonly Finding[] {
  const carried = kinds.every((kind) => kind === 'other')
    ? judgeTouched(policy, request)
    : kinds.flatMap((kind) => judgeKind(policy, request, kind));
  return carried.filter((finding) => finding.verdict !== 'allow' && AGAINST.has(finding.reason));
}

/** Files that a tool of no known kind names: it may read or write them. */
function judgeTouched(policy: Policy, request: ToolRequest): readonly Finding[] {
  return (request.paths ?? []).flatMap((path) => {
    const target = pathTarget([path], policy.workspace);
    return judgeHard(policy, { text: path, access: 'touch', target, tool: request.tool }) ?? [];
  });
}

/** A plain line is judged once while it is in the cache. */
function judgeCommandInput(policy: Policy, request: ToolRequest): readonly Finding[] {
  const { command, cwd, tool } = request;
  const isCacheable =
    command?.type === 'line' && command.environment === undefined && command.line.length <= MAX_CACHED_CHARS;
  const key = isCacheable ? `${tool}\n${cwd ?? ''}\n${command.line}` : '';
  const cached = isCacheable ? policy.cache.get(key) : undefined;
  if (cached?.findings) return cached.findings;
  const parts = cached?.parts ?? readParts(policy, request);
  const findings = parts.map((part) => judgePart(policy, part, tool || 'Bash'));
  // The disk may be another one the next time; what the line says is the same.
  if (isCacheable && !cached) policy.cache.set(key, policy.workspace.realPath ? { parts } : { parts, findings });
  return findings;
}

function readParts({ workspace, shell }: Policy, { command, cwd, title, tool }: ToolRequest): readonly Part[] {
  const folder = cwd === undefined ? workspace.cwd : resolvePath(workspace.cwd, cwd);
  const where: ReadOptions = {
    directories: [folder],
    home: workspace.home,
    shell: shell === 'bash' ? 'bash' : 'any',
    environment: settingsOf(command),
  };
  if (command?.type === 'line' && shell === 'other')
    return [{ type: 'opaque', text: command.line, because: 'is for a shell whose language is not looked into' }];
  if (command === undefined) return [{ type: 'opaque', text: title ?? tool, because: 'does not say what it runs' }];
  if (command.type === 'unclear') return [{ type: 'opaque', text: command.text, because: command.because }];
  const parts = command.type === 'line' ? readCommandLine(command.line, where) : readArguments(command.words, where);
  if (parts.length === 0) return [{ type: 'opaque', text: title ?? tool, because: 'has no command in it' }];
  // Where both are refused alike, the command is what the person knows by sight.
  return cwd === undefined ? parts : [...parts, folderPart([folder], cwd)];
}

/** A folder given beside the command is as if the command began with `cd`. */
function folderPart(directories: readonly string[], cwd: string): Part {
  const word = { text: cwd, value: directories[0], glob: [], splits: false };
  return {
    type: 'command',
    text: `cd ${cwd}`,
    span: undefined,
    words: [{ ...word, text: 'cd', value: 'cd' }, word],
    environment: [],
    directories,
    files: [{ word, access: 'read', isTree: false }],
    dangers: [],
    isHarmless: true,
    inner: undefined,
    addresses: [],
    usesRepository: false,
    plainWords: undefined,
    printsNames: undefined,
    mayRun: [],
  };
}

/** Variables given beside the command are as if they stood before it. */
function settingsOf(command: CommandInput | undefined): readonly Setting[] {
  if (command === undefined || command.type === 'unclear' || command.environment === undefined) return [];
  return Object.entries(command.environment).map(([name, value]) => ({
    word: literalWord(`${name}=${value}`),
    name,
    isPlain: false,
  }));
}

function judgePaths(
  policy: Policy,
  request: ToolRequest,
  kind: 'read' | 'search' | 'edit' | 'delete' | 'move',
): readonly Finding[] {
  const access: FileOperation['access'] = kind === 'edit' ? 'write' : kind;
  const paths = request.paths ?? (kind === 'search' ? ['.'] : undefined);
  const tool = request.tool || kind;
  const skipsDenied = request.skipsDenied === true ? { skipsDenied: true } : {};
  const cwd = request.cwd === undefined ? policy.workspace.cwd : resolvePath(policy.workspace.cwd, request.cwd);
  if (paths === undefined || paths.length === 0) {
    const target = { paths: [], globs: [], isUnknown: true, isTree: false, skipsHidden: false };
    return [judgeFile(policy, { text: request.title ?? request.tool, access, target, tool })];
  }
  return paths.map((path) => {
    const target = {
      ...pathTarget([path], policy.workspace, cwd),
      isTree: kind === 'search' || kind === 'delete' || kind === 'move',
    };
    const isOdd = path === '' || path.includes('\u0000');
    return judgeFile(policy, {
      text: path,
      access,
      target: { ...target, isUnknown: isOdd || target.isUnknown },
      tool,
      ...skipsDenied,
    });
  });
}

function applyToolSets(policy: Policy, request: ToolRequest, found: Finding): Finding {
  if (policy.toolSets.length === 0) return found;
  const facts = factsOf(request, kindsOf(request));
  const asking = policy.toolSets.find((set) => alwaysAsks(set, facts));
  if (asking && found.verdict === 'allow')
    return { verdict: 'ask', reason: 'tool-set', text: found.text, detail: asking.name };
  const isLow = policy.toolSets.some(
    (set) => set.asksFromLevel !== undefined && request.level !== undefined && request.level < set.asksFromLevel,
  );
  return isLow && found.reason === 'no-rule' ? { ...found, verdict: 'allow', reason: 'level' } : found;
}

function applyMemory(policy: Policy, request: ToolRequest, found: Finding): Finding {
  if (found.verdict === 'deny' || policy.remembered.isEmpty) return found;
  const [here, anywhere] = [requestKey(request, policy.workspace.cwd), requestKey(request, undefined)];
  if (here === undefined || anywhere === undefined) return found;
  const entry = policy.remembered.find(here, anywhere);
  if (entry === undefined) return found;
  if (entry.effect === 'deny') return { verdict: 'deny', reason: 'remembered', text: found.text, detail: entry.shown };
  if (found.verdict !== 'ask' || !REMEMBERED_REASONS.has(found.reason)) return found;
  return { verdict: 'allow', reason: 'remembered', text: found.text, detail: entry.shown };
}

function applyMode(policy: Policy, kinds: readonly ToolKind[], found: Finding): Finding {
  const mode = PERMISSION_MODES[policy.mode];
  if (found.verdict === 'deny') return found;
  if (mode.approves === 'everything') {
    if (found.verdict === 'allow' || found.reason === 'mode-switch') return found;
    return found.reason === 'may-be-denied'
      ? { ...found, verdict: 'deny' }
      : { ...found, verdict: 'allow', reason: 'mode' };
  }
  if (mode.otherwise === 'ask' || found.reason === 'mode-switch') {
    // Files were judged by their place already.
    const { approves } = mode;
    const isApproved =
      found.reason === 'no-rule' && kinds.every((kind) => approves.includes(kind) && !FILE_KINDS.has(kind));
    return isApproved ? { ...found, verdict: 'allow', reason: 'mode' } : found;
  }
  // An agent that asks the person something runs nothing by it.
  if (found.verdict === 'ask' && kinds.every((kind) => kind === 'think')) return found;
  const isReading = kinds.every((kind) => READING_KINDS.has(kind));
  return isReading && found.verdict === 'allow' ? found : { ...found, verdict: 'deny', reason: 'mode' };
}

function factsOf(request: ToolRequest, kinds: readonly ToolKind[]): { readonly name: string; readonly kind: ToolKind } {
  return { name: request.tool, kind: kinds[0] ?? 'other' };
}

/** Reasons that hold against an external tool, whatever allows it by name. */
const AGAINST: ReadonlySet<Finding['reason']> = new Set(['rule', 'may-be-denied', 'protected']);
/** Longest line whose judgement is cached. */
const MAX_CACHED_CHARS = 1024;
/** Reasons to ask that a remembered yes settles. */
const REMEMBERED_REASONS: ReadonlySet<Finding['reason']> = new Set([
  'no-rule',
  'opaque',
  'not-covered',
  'outside',
  'remembered',
]);
