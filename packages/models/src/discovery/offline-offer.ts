import type { ModelOffer } from './offer.ts';

export const OFFLINE_MODEL_ID = 'offline';

/** The offline model as one more thing to choose; free, always there, and labelled as what it is. */
export const offlineOffer: ModelOffer = {
  id: OFFLINE_MODEL_ID,
  name: 'Offline (rules, no AI)',
  description: 'Follows plain commands without any model; works with no key and no network',
  provider: 'offline',
  origin: 'built-in',
  contextWindow: 200_000,
  price: { input: 0, output: 0 },
  thinkingLevels: [],
  create: async () => (await import('../offline/offline-model.ts')).createOfflineModel(),
};
