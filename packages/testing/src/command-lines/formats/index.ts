import type { LineFormat } from '../format.ts';
import { AMP, CLAUDE, QWEN } from './claude.ts';
import { CODEX } from './codex.ts';
import { COPILOT } from './copilot.ts';
import { DROID } from './droid.ts';
import { GEMINI } from './gemini.ts';
import { GOOSE } from './goose.ts';
import { KIMI } from './kimi.ts';
import { OPENCODE } from './opencode.ts';

export type FormatName =
  | 'claude'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'qwen'
  | 'kimi'
  | 'copilot'
  | 'amp'
  | 'droid'
  | 'goose';

/** The programs that are imitated, by name. */
export const FORMATS: Readonly<Record<FormatName, LineFormat>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  qwen: QWEN,
  kimi: KIMI,
  copilot: COPILOT,
  amp: AMP,
  droid: DROID,
  goose: GOOSE,
};
