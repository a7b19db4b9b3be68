export { bubblewrap, FULL_DEVICE, onSmallDisk, POSIX, PRLIMIT, PROC, program, ROOT, smallDisk } from './machine.ts';
export { type Need, type NeedOptions, needs } from './needs.ts';
