export { leave } from '@parley/host/command-line';
