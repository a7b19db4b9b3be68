import type { RequestId, RpcError } from '@parley/jsonrpc';
import type { Fields } from '../../fields.ts';
import type { MapResult, TranslationContext } from '../context.ts';
import { readInitializeParams, readInitializeResult } from './capabilities.ts';
import { readCreateTerminal, readReadTextFile, readTerminalOutput, readWaitForExit } from './client-services.ts';
import { readPermissionRequest, readPermissionResult } from './permission.ts';
import {
  readAuthenticate,
  readLoadSession,
  readNewSession,
  readPrompt,
  readSessionResult,
  readSetConfigOption,
  readSetConfigOptionResult,
  readSetMode,
} from './session.ts';
import { withoutTimeout } from './wait-timeout.ts';

type ReadParams = (params: Fields, context: TranslationContext, id: RequestId) => Fields | RpcError;

/** How the params of each request are read. Each reader accepts every dialect, the canonical one included. */
export const PARAM_READERS: ReadonlyMap<string, ReadParams> = new Map<string, ReadParams>([
  ['initialize', readInitializeParams],
  ['authenticate', readAuthenticate],
  ['session/new', readNewSession],
  ['session/load', readLoadSession],
  ['session/prompt', readPrompt],
  ['session/set_mode', readSetMode],
  ['session/set_config_option', readSetConfigOption],
  ['session/request_permission', readPermissionRequest],
  ['fs/read_text_file', readReadTextFile],
  ['terminal/create', readCreateTerminal],
  ['terminal/wait_for_exit', withoutTimeout],
]);

/** How results are read. The result of a prompt has its own way, for it may bring updates with it. */
export const RESULT_READERS: ReadonlyMap<string, MapResult> = new Map<string, MapResult>([
  ['initialize', readInitializeResult],
  ['session/new', readSessionResult],
  ['session/load', readSessionResult],
  ['session/resume', readSessionResult],
  ['session/set_config_option', readSetConfigOptionResult],
  ['session/request_permission', readPermissionResult],
  ['terminal/output', readTerminalOutput],
  ['terminal/wait_for_exit', readWaitForExit],
]);

/** Methods whose result may be `null` in one dialect or another where canonically it is an object. */
export const EMPTY_RESULTS: ReadonlySet<string> = new Set([
  'authenticate',
  'logout',
  'session/load',
  'session/resume',
  'session/close',
  'session/delete',
  'session/set_mode',
  'session/set_config_option',
  'session/request_permission',
  'fs/write_text_file',
  'terminal/kill',
  'terminal/release',
]);
