// The validators of both versions come along: load it late, and only where messages are judged.
export { createMessageJudge, type MessageJudge, type Verdict } from './judge-message.ts';
