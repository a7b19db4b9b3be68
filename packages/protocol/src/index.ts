export {
  acceptsAdditionalDirectories,
  acceptsBooleanOptions,
  acceptsMcpServer,
  allowsContent,
  allowsUpdate,
  type Capabilities,
  canAuthenticateInTerminal,
  canCloseSession,
  canDeleteSession,
  canElicit,
  canListSessions,
  canLoadSession,
  canLogout,
  canReadTextFile,
  canResumeSession,
  canUseTerminals,
  canWriteTextFile,
  hasCapability,
  isMethodAvailable,
} from './capabilities.ts';
export {
  audioBlock,
  type BlockOptions,
  blobResourceBlock,
  imageBlock,
  linkBlock,
  nameOfUri,
  textBlock,
  textResourceBlock,
} from './content/blocks.ts';
export {
  type CustomContent,
  customBlock,
  customContentLabel,
  isCustomContent,
  keepCustomContent,
} from './content/custom-content.ts';
export { fileUri, pathOfFileUri } from './content/file-uri.ts';
export { mimeTypeOfPath } from './content/mime-types.ts';
export { parseContent } from './content/parse-content.ts';
export { type PromptFile, promptWithFiles, promptWithImage } from './content/prompt.ts';
export { type Speaker, textOfContent, textOfUpdates } from './content/text.ts';
export { detailsOfError } from './error-details.ts';
export {
  ERROR_KINDS,
  type ErrorAction,
  type ErrorDetails,
  type ErrorKind,
  type ErrorKindFacts,
  errorOfKind,
  isErrorKind,
  kindOfError,
} from './error-kinds.ts';
export {
  createProtocol,
  type MethodSpec,
  type MethodTable,
  type NotificationSpec,
  type NotificationTable,
  type ParamsOf,
  type Protocol,
  type Receiver,
  type RequestSpec,
  type RequestTable,
  type ResultOf,
} from './methods.ts';
export { entriesWithStatus, latestPlan, planEntry, planProgress } from './plan.ts';
export { isAbsolutePath } from './rules/absolute-path.ts';
export { AUDIO_MIME_TYPES, type ContentRules, IMAGE_MIME_TYPES, REQUIRED_FIELDS } from './rules/content.ts';
export { checkRules, enforceRules, type RuleContext } from './rules/rules.ts';
export { sessionIdOf } from './session-id.ts';
export { summarizeUpdates, type UpdateSummary } from './summary.ts';
export {
  diffsOf,
  isNewFile,
  shownContent,
  shownDiff,
  shownTerminal,
  shownText,
  textOfToolCall,
} from './tool-calls/content.ts';
export { PERMISSION_REASON } from './tool-calls/permission-reason.ts';
export {
  applyToolCallUpdate,
  filterToolCalls,
  hasFailedToolCall,
  isFinalStatus,
  latestToolCalls,
  type ToolCallFilter,
  toolCallStatus,
} from './tool-calls/tool-calls.ts';
export type * from './v1/index.ts';
export { METHODS, v1, validators } from './v1/index.ts';
export { checkOutgoing } from './validation/outgoing.ts';
export { parse, type Validator, type Validators } from './validation/parse.ts';
export { INVALID, type Problem, takeProblem } from './validation/problem.ts';
export { formatPath, ValidationError } from './validation/validation-error.ts';
