export type * from './event.ts';
export type { AgentOffer, AgentOffers, ClientOffers } from './offers.ts';
export type { ElicitationQuestion, PermissionQuestion, Question } from './question.ts';
export * from './transcript/index.ts';
export { agentOffersFromV1, clientOffersFromV1, v1CapabilityOf } from './v1/read-offers.ts';
export { eventFromV1 } from './v1/read-update.ts';
export { planToUnstableV1, unstableEventFromV1 } from './v1/unstable-updates.ts';
export { eventToV1 } from './v1/write-update.ts';
