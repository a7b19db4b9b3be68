export { type FoundDescription, findDescription } from './find-description.ts';
export { listDescriptions } from './list-descriptions.ts';
export { type RecordDescriptionOptions, recordDescription } from './record-description.ts';
export { type AdaptFlags, type OpenAdapterStore, serveAdapter } from './serve-adapter.ts';
export { type TestDescriptionOptions, testDescription } from './test-description.ts';
