import { sqliteStore } from '../src/index.ts';
import { sessionLogCases } from './session-log-cases.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

sessionLogCases('in SQLite', (options) => sqliteStore({ ...options, path: newPath() }));
