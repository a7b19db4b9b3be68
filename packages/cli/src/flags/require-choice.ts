export { requireChoice } from '@parley/host/command-line';
