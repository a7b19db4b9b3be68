export { type OwnStdio, type OwnStdioOptions, ownStdio } from './own-stdio.ts';
