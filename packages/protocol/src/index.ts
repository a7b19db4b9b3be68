export {
  acceptsAdditionalDirectories,
  acceptsBooleanOptions,
  acceptsMcpServer,
  allowsContent,
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
  type BlockOptions,
  imageBlock,
  linkBlock,
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
export { fileUri } from './content/file-uri.ts';
export { mimeTypeOfPath } from './content/mime-types.ts';
export { parseContent } from './content/parse-content.ts';
export { textOfContent } from './content/text.ts';
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
export type {
  MethodSpec,
  MethodTable,
  NotificationSpec,
  NotificationTable,
  ParamsOf,
  Protocol,
  Receiver,
  RequestSpec,
  RequestTable,
  ResultOf,
} from './methods.ts';
export { AUDIO_MIME_TYPES, type ContentRules, IMAGE_MIME_TYPES } from './rules/content.ts';
export { checkOutgoing } from './rules/outgoing.ts';
export { isAbsolutePath } from './rules/paths.ts';
export { checkRules, enforceRules, type RuleContext } from './rules/rules.ts';
export { sessionIdOf } from './session-id.ts';
export {
  isNewFile,
  shownContent,
  shownDiff,
  shownTerminal,
  shownText,
  textOfToolCall,
} from './tool-calls/content.ts';
export { PERMISSION_REASON } from './tool-calls/tool-calls.ts';
export type * from './v1/index.ts';
export { METHODS, v1, validators } from './v1/index.ts';
export { parse, type Validator, type Validators } from './validation/parse.ts';
export { INVALID, type Problem, takeProblem } from './validation/problem.ts';
export { formatPath, ValidationError } from './validation/validation-error.ts';
