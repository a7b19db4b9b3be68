export {
  formAnswerFromV2,
  formFromV2,
  formReplyToV2,
  formToV2,
  permissionAnswerFromV2,
  permissionAnswerToV2,
  permissionFromV2,
  permissionToV2,
} from './questions.ts';
export { agentOffersFromV2, clientOffersFromV2, v2CapabilityOf } from './read-offers.ts';
export { eventFromV2 } from './read-update.ts';
export {
  authMethodsFromV2,
  authMethodsToV2,
  commandsFromV2,
  commandsToV2,
  configOptionsFromV2,
  configOptionsToV2,
  mcpServersFromV2,
  mcpServersToV2,
} from './settings.ts';
export { TerminalTexts } from './terminal-texts.ts';
export { eventToV2 } from './write-update.ts';
