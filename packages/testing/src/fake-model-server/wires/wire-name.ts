/** The formats of model providers that the server speaks. */
export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';
