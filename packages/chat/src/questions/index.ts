export { askForm, askInLines, askPermission, askToVisit, chooseNumber, type Lines } from './ask-in-lines.ts';
