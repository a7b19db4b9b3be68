export { createFileOutput } from './file-output.ts';
export { faultOf, isReaderGone, watchOutput, wordFault } from './output-fault.ts';
export { needsRoom, untilRoom, untilWritten, writePiece, writePieces } from './write-out.ts';
