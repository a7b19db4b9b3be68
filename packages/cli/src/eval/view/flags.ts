export { readNumber } from '@parley/host/command-line';
