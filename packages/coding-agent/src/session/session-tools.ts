import type { Session } from '@parley/agent';
import { TOOL_PRESETS, toolsIn } from '@parley/policy/modes';
import { createAgentTool } from '../agents/agent-tool.ts';
import { mayCallAgents } from '../agents/call-depth.ts';
import type { CodingAgentOptions } from '../coding-agent-options.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { Skill } from '../skills/skill.ts';
import { createSkillTool } from '../skills/skill-tool.ts';
import { SANDBOX_TOOLS, TOOLS } from '../tools/list.ts';
import type { Tool } from '../tools/tool.ts';
import { isPlanning, presetOf, toolSetsOf } from './session-options.ts';
import { type SessionSettings, toolsAllowedBy } from './session-settings.ts';

/** What there is besides the agent's own tools; servers and skills are found while the session is opened. */
export interface ToolSource {
  readonly session: Session;
  readonly settings: SessionSettings;
  readonly skills: readonly Skill[];
  readonly mcp: McpServers;
}

export interface SessionToolsOptions extends Pick<CodingAgentOptions, 'agents' | 'tasks' | 'webSearch'> {
  /** How many agents have called each other to get here. */
  readonly depth: number;
}

/** The tools of one session: ours, those of skills, other agents and MCP servers. */
export class SessionTools {
  readonly #source: ToolSource;
  readonly #own: readonly Tool[];
  readonly #agents: readonly Tool[];
  #skills: { readonly of: readonly Skill[]; readonly tools: readonly Tool[] } = { of: [], tools: [] };

  constructor(source: ToolSource, { agents = {}, depth, tasks, webSearch = false }: SessionToolsOptions) {
    this.#source = source;
    this.#own = TOOLS.filter(
      ({ name }) => (name !== 'task' || tasks !== false) && (name !== 'web_search' || webSearch),
    );
    const hasAgents = Object.keys(agents).length > 0 && mayCallAgents(depth);
    this.#agents = hasAgents ? [createAgentTool(agents) as Tool] : [];
  }

  /** Those that can be used now: all, less what the mode, the preset and the client leave out. */
  get usable(): readonly Tool[] {
    const { session } = this.#source;
    const all = this.#ofPreset.filter(({ kind }) => kind !== 'switch_mode' || isPlanning(session));
    return toolSetsOf(session).reduce<readonly Tool[]>((tools, set) => toolsIn(set, tools), all);
  }

  /**
   * Those that the model is told of: those of the preset in every mode, and for a whole conversation the same, since
   * providers bind what a model thought to them. Only more tools make a new list.
   */
  get offered(): readonly Tool[] {
    const { state } = this.#source.session;
    const now = this.#ofPreset;
    const known = Array.isArray(state.toolNames) ? (state.toolNames as readonly string[]) : [];
    if (now.some(({ name }) => !known.includes(name))) {
      state.toolNames = now.map(({ name }) => name);
      return now;
    }
    const all = [...TOOLS, ...SANDBOX_TOOLS, ...this.#found];
    return known.flatMap((name) => all.find((tool) => tool.name === name) ?? []);
  }

  /** The conversation begins anew, and may have another list. */
  restart(): void {
    delete this.#source.session.state.toolNames;
  }

  /** What the preset and the client leave, in whatever mode. */
  get #ofPreset(): readonly Tool[] {
    const preset = presetOf(this.#source.session);
    const own = preset === 'sandbox' ? [...this.#own, ...SANDBOX_TOOLS] : this.#own;
    return toolsAllowedBy(toolsIn(TOOL_PRESETS[preset], [...own, ...this.#found]), this.#source.settings);
  }

  get #found(): readonly Tool[] {
    return [...this.#skillTools, ...this.#agents, ...this.#source.mcp.tools];
  }

  /** Made once for the skills that were found. */
  get #skillTools(): readonly Tool[] {
    const { skills } = this.#source;
    if (this.#skills.of !== skills) {
      this.#skills = { of: skills, tools: skills.length > 0 ? [createSkillTool(skills) as Tool] : [] };
    }
    return this.#skills.tools;
  }
}
