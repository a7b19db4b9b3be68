import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { processOwnerCases } from './cases/process-owner-cases.ts';
import { sessionLogCases } from './session-log-cases.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

sessionLogCases('in SQLite', (options) => sqliteStore({ ...options, path: newPath() }), {
  'owners as processes': processOwnerCases,
});
