import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RuleLists } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import { isRecord } from '../config/check-config.ts';
import { wordFileError } from '../config/word-file-error.ts';

/** What `--policy` says: our rules, or acpx's lists translated into them. */
export interface PolicyFile extends RuleLists {
  readonly mode?: string;
  /** What becomes of what no rule decides. Default: the permission flags say so. */
  readonly otherwise?: 'allow' | 'ask' | 'deny';
}

/** Reads a policy from JSON text, or from the file of that name. */
export async function readPolicy(source: string, cwd: string): Promise<PolicyFile> {
  const isJson = source.trimStart().startsWith('{');
  const text = isJson
    ? source
    : await readFile(resolve(cwd, source), 'utf8').catch((error: Error) => {
        throw usageError(`--policy ${source} cannot be read: ${wordFileError(error)}`);
      });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { wordJsonError } = await import('../config/word-json-error.ts');
    throw usageError(`--policy is not JSON: ${wordJsonError(text, error)}`);
  }
  if (!isRecord(value))
    throw usageError('--policy must be an object such as {"allow": ["Read"], "deny": ["Bash(rm *)"]}.');
  return ACPX_FIELDS.some((name) => name in value) ? fromAcpx(value) : fromOurs(value);
}

const ACPX_FIELDS = ['autoApprove', 'autoDeny', 'escalate', 'defaultAction'];

function fromOurs(value: Readonly<Record<string, unknown>>): PolicyFile {
  const unknown = Object.keys(value).find((name) => !['mode', 'allow', 'ask', 'deny'].includes(name));
  if (unknown !== undefined) throw usageError(`--policy has "${unknown}"; it takes mode, allow, ask and deny.`);
  return {
    ...(typeof value.mode === 'string' && { mode: value.mode }),
    allow: texts(value, 'allow'),
    ask: texts(value, 'ask'),
    deny: texts(value, 'deny'),
  };
}

/** acpx matches by kind of tool, or by its name or title; ours by family, or by name. */
function fromAcpx(value: Readonly<Record<string, unknown>>): PolicyFile {
  const rules = (name: string): string[] => texts(value, name).map((word) => FAMILIES[word.toLowerCase()] ?? word);
  const action = value.defaultAction;
  const otherwise =
    action === 'approve' ? 'allow' : action === 'deny' ? 'deny' : action === 'escalate' ? 'ask' : undefined;
  return {
    allow: rules('autoApprove'),
    ask: rules('escalate'),
    deny: rules('autoDeny'),
    ...(otherwise && { otherwise }),
  };
}

const FAMILIES: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Bash',
  fetch: 'Fetch',
  think: 'Think',
};

function texts(value: Readonly<Record<string, unknown>>, name: string): string[] {
  const list = value[name] ?? [];
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw usageError(`--policy: "${name}" must be a list of texts.`);
}
