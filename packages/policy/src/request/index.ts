export type { CommandInput, ToolRequest } from './request.ts';
export { SAFETY_LEVELS, type SafetyHints, type SafetyLevel } from './safety.ts';
export { requestFromTerminal, requestFromToolCall } from './tool-call.ts';
