// What modes and presets there are, as data: for programs that offer them and must start quickly. What judges by them,
// with its shell parser, is the package itself.
export {
  isPermissionMode,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionModeEntry,
  permissionModeIds,
} from './permission-modes.ts';
export {
  BEHAVIOUR_MODES,
  type BehaviourModeId,
  TOOL_PRESETS,
  type ToolPresetId,
  type ToolSet,
  toolsIn,
} from './tool-sets.ts';
