// The node `agent`.
import { signingIn } from '../credential-kinds.ts';
import { defineNode, formatPath, leave, type Reference } from '@hilo/engine/contract';
import { askModel } from '../effects/ask-model.ts';
import { callFunction } from '../effects/call-function.ts';
import { callMcpTool } from '../effects/call-mcp-tool.ts';
import { sendMessage } from '../effects/send-message.ts';
import { listCredentials } from '../model-call/model.ts';
import { holdUser } from '../outside-call.ts';
import { AgentConfig, type Tool } from './config.ts';
import { maskOf } from './mask.ts';
import { type Scene, turnMs } from './scene.ts';
import { freshTalk, isTalk, type Talk } from './talk.ts';
import { expectInputs, offering } from './tools.ts';
import { askUser, begin, tell } from './visit.ts';
import { namesAt } from '../names-at.ts';

/** What people read of the values that tools take and exits give. */
const fieldNames = ['exits.fields', 'tools.inputs'].flatMap((fields) => [`${fields}.*.label`, `${fields}.*.options.title`]);

/**
 * Converses with the user by a language model, which calls tools and leaves by an exit. Each turn is a visit: its calls are effects with
 * keys of their own, so that a crash repeats nothing that was answered. Whatever the model answers, the agent stays within its budgets,
 * calls no tool without the agreement that it needs, and leaves by one of its ports.
 */
export const agent = defineNode({
  type: 'agent',
  config: AgentConfig,
  visual: {
    label: 'Agent',
    category: 'integration',
    icon: 'bot',
    colour: '#7c3aed',
    description: 'Lets a language model converse with the user, call tools and choose how it ends.',
    summary: ({ model, tools }) => [model?.name ?? '', ...(tools ?? []).map(({ name }) => name)].join(' · '),
    formHints: {
      'model.auth.credentialId': 'credential',
      'fallback.auth.credentialId': 'credential',
      'tools.auth.credentialId': 'credential',
      instructions: 'multiline',
      facts: 'expression',
      opening: 'multiline',
      timeout: 'duration',
      idle: 'duration',
      saveAs: 'variable',
      transcriptAs: 'variable',
    },
  },
  facts: {
    needs: 'a model and its credential, a bot of the channel, and its 24-hour window open',
    limits: '20 turns, 6 calls of models and 8 of tools in a turn, 200,000 tokens and 5 minutes a turn if unset',
    ports: 'one for each exit, and `limit`; [`timeout`], [`windowClosed`], [`error`]',
    holds: 'for 5 minutes of each turn',
  },
  names: fieldNames,
  ports: ({ exits }): readonly string[] => [...exits.map(({ name }) => name), 'limit'],
  optionalPorts: ['timeout', 'windowClosed', 'error'] as readonly string[],
  advisedPorts: () => ['timeout'],
  supports: { kinds: ['skill'], retry: false },
  effects: [askModel, sendMessage, callFunction, callMcpTool],
  sends: () => 'message',
  heardBefore: ({ opening, exits }) => (opening === undefined ? [] : [...exits.map(({ name }) => name), 'limit']),
  waitsBefore: ({ exits }) => [...exits.map(({ name }) => name), 'limit', 'timeout', 'windowClosed'],
  waitFields: { idle: ['timeout'] },
  writingFields: ['saveAs', 'transcriptAs'],
  writes(config) {
    const transcript = config.transcriptAs === undefined ? [] : [formatPath(config.transcriptAs)];
    const saved = config.saveAs === undefined ? [] : [formatPath(config.saveAs)];
    return Object.fromEntries([
      ...config.exits.map(({ name }) => [name, [...saved, ...transcript]] as const),
      ...['limit', 'timeout', 'windowClosed'].map((port) => [port, transcript] as const),
    ]);
  },
  writesBefore: ({ tools }, at) => listToolNames(tools, at).map((name) => `$tool.${name}`),
  shapes: ({ saveAs, exits }) =>
    namesAt(
      saveAs,
      exits.flatMap(({ fields }) => Object.keys(fields ?? {})),
    ),
  references: ({ model, fallback, tools }) => [
    ...listCredentials({ model, fallback }),
    ...tools.flatMap((tool, index) => refer(tool, ['tools', index])),
  ],
  check: ({ tools }) =>
    tools.flatMap((tool, index) => {
      const { name, confirm, risk = usualRisk(tool) } = tool;
      if (confirm !== undefined || risk === 'read') return [];
      return [
        {
          code: 'UNCONFIRMED_TOOL',
          severity: risk === 'money' ? ('error' as const) : ('warning' as const),
          message: `The model may call "${name}", which ${risk === 'money' ? 'moves money' : 'changes something'}, without the agreement of the user`,
          hint: 'Give the tool a "confirm", or another "risk".',
          at: ['tools', index],
        },
      ];
    }),
  run({ config, variables, memo, channel, nowMs, hold: holdConfig }) {
    const hold = holdUser(holdConfig, turnMs, variables);
    const offer = offering(config);
    const enter = ({ masked }: Talk): Scene => ({
      config,
      variables,
      channel,
      hold,
      offer,
      mask: maskOf(masked, config, variables),
      nowMs,
    });
    if (memo === null) return begin(enter(freshTalk));
    if (isTalk(memo)) return memo.asking === undefined ? tell(enter(memo), memo) : askUser(enter(memo), memo, memo.asking);
    const failure = { cause: 'AGENT_STATE_UNKNOWN', message: 'The conversation was begun by a release that keeps it in another form' };
    return leave('error', [], { memo: null, failure });
  },
});

/** What a tool names outside of its canvas. @param at - its place in the config */
function refer(tool: Tool, at: readonly (string | number)[]): readonly Reference[] {
  switch (tool.kind) {
    case 'function': {
      const named = { kind: 'function', id: tool.functionId, at: [...at, 'functionId'] } as const;
      if (tool.tool === undefined) return [named];
      const expects = { kind: 'tool', at: [...at, 'inputs'], inputs: expectInputs(tool) } as const;
      return [{ ...named, tool: { name: tool.tool, at: [...at, 'tool'] }, expects }];
    }
    case 'workflow': {
      const { workflowId: id, version } = tool;
      const isUnconfirmed = tool.confirm === undefined && tool.risk === undefined;
      const expects = { kind: 'tool', at: [...at, 'inputs'], inputs: expectInputs(tool), isUnconfirmed } as const;
      return [{ kind: 'workflow', id, ...(version !== undefined && { version }), at: [...at, 'workflowId'], expects }];
    }
    case 'mcp':
      return tool.auth === undefined
        ? []
        : [{ kind: 'credential', suits: signingIn, id: tool.auth.credentialId, at: [...at, 'auth', 'credentialId'] }];
  }
}

/** What a wrong call may do, where the author does not say it. What a workflow may do is found where it is looked up. */
function usualRisk(tool: Tool): NonNullable<Tool['risk']> {
  if (tool.kind === 'mcp') return tool.readOnly === true ? 'read' : 'change';
  return tool.kind === 'function' ? 'change' : 'read';
}

/** The inputs that the question of a tool may read. @param at - the place of a template in the config */
function listToolNames(tools: AgentConfig['tools'], at: readonly (string | number)[]): readonly string[] {
  const [field, index, part] = at;
  const tool = field === 'tools' && part === 'confirm' ? tools[Number(index)] : undefined;
  if (tool === undefined) return [];
  return [...(tool.kind === 'mcp' ? tool.schema.names : Object.keys(tool.inputs)), ...Object.keys(tool.with)];
}
