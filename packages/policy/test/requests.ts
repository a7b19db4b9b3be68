import {
  createPolicy,
  decide,
  type PolicyOptions,
  type ToolRequest,
  type Verdict,
  type Workspace,
} from '../src/index.ts';

/** The workspace that the tests of decisions share. */
export const workspace: Workspace = { cwd: '/proj/app', home: '/home/me', additionalDirectories: ['/proj/lib'] };

export function verdict(options: Omit<PolicyOptions, 'workspace'>, request: ToolRequest): Verdict {
  return decide(createPolicy({ workspace, ...options }), request).verdict;
}

export function bash(line: string): ToolRequest {
  return { tool: 'Bash', kind: 'execute', command: { type: 'line', line } };
}

export function file(kind: 'read' | 'edit' | 'delete' | 'move' | 'search', path: string, tool = ''): ToolRequest {
  return { tool, kind, paths: [path] };
}
