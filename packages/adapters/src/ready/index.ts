export {
  findReadyDescription,
  listReadyDescriptions,
  type ReadyDescription,
  schemaFile,
} from './ready-descriptions.ts';
