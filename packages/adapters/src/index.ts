export { adapterAgent } from './adapter-agent.ts';
export type {
  Condition,
  Description,
  DiffDescription,
  EmittedAs,
  EventMapping,
  ExtractDescription,
  HistoryTemplate,
  ImagesDescription,
  LoginDescription,
  ModeDescription,
  ModelsDescription,
  PassthroughTypeMap,
  PermissionAnswers,
  PromptDescription,
  ResultDescription,
  ResumeDescription,
  SessionMode,
  ToolDescription,
} from './description/description.ts';
export { descriptionSchema } from './description/description-schema.ts';
export { parseDescription, readDescription } from './description/read-description.ts';
export { type AdapterErrorCode, DescriptionError } from './errors.ts';
export { type CommandForOptions, type CommandStart, commandFor } from './invocation/command-for.ts';
export { type ProposeDescriptionOptions, proposeDescription } from './record/propose-description.ts';
export { type RecordCommandOptions, type Recording, recordCommand } from './record/record-command.ts';
export { formatRecorded, type RecordedLine, readRecorded } from './replay/recorded-lines.ts';
export { type Replay, type ReplayedLine, replayLines } from './replay/replay-lines.ts';
export type { AdapterLog, AdapterOptions } from './runtime/adapter-options.ts';
