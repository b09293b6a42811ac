/** The config of an agent: its model, what it may call, how it may end, and its budgets. */
import { Duration, isTemplate, Template, ValueTemplate, VariableName, VariablePath, WorkflowId } from '@hilo/engine/contract';
import { z } from 'zod';
import { ReadPath } from '../read-path.ts';
import { Fields } from '../fields/field.ts';
import { BaseUrl, CredentialReference, Currency, Model } from '../model-call/model.ts';
import { ToolSchema } from './tool-schema.ts';

/** The ports that every agent has, and the word of the history for a visit that goes on. No exit is called like one of them. */
const ownPorts = ['limit', 'timeout', 'windowClosed', 'error', 'again'];

const toolParts = {
  name: z
    .string()
    .regex(/^(?!exit_)[a-z][a-zA-Z0-9_]{0,40}$/, 'The name of a tool is one word such as stockOf, and does not begin with exit_')
    .meta({ description: 'The name by which the model calls it', examples: ['stock'] }),
  description: z
    .string()
    .min(1)
    .max(1_000)
    .meta({ description: 'What it does; the model reads it', examples: ['How many of an article are left'] }),
  with: z
    .record(VariableName, ValueTemplate)
    .default({})
    .meta({ description: 'Inputs that the model neither sees nor chooses, such as whose order it is' }),
  confirm: z
    .strictObject({
      text: Template.meta({ description: 'The question; it may read the inputs as $tool.name', examples: ['Order {{$tool.sku}}?'] }),
      yes: z.string().min(1).max(20).default('Yes').meta({ description: 'The button by which the user agrees' }),
      no: z.string().min(1).max(20).default('No').meta({ description: 'The other button' }),
    })
    .refine(({ yes, no }) => yes.toLowerCase() !== no.toLowerCase(), { error: 'Both buttons have the same title', path: ['no'] })
    .optional()
    .meta({ description: 'The question that the user must agree to before each call' }),
  risk: z.enum(['read', 'change', 'money']).optional().meta({
    description:
      'What a wrong call may do: "money" needs "confirm", "change" should have it. When left out, "change" for a function, and for a tool of a server that does not only read; for a workflow, what its nodes and those that it calls may do',
  }),
  sees: z.array(ReadPath).max(50).default([]).meta({
    description: 'Withheld variables that an MCP server may get all the same; workflows and functions of the company get all of them',
  }),
  timeout: Duration.prefault('PT60S').meta({ description: 'How long one call may take' }),
};

const inputs = Fields.default({}).meta({ description: 'What the model gives it' });

const Tool = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('workflow').meta({ description: 'Runs a workflow of the kind "tool"' }),
      workflowId: WorkflowId.meta({ description: 'The id of the workflow', examples: ['stock'] }),
      version: z.int().min(1).exactOptional().meta({ description: 'The published version to run; the latest, when left out' }),
      inputs,
      ...toolParts,
    }),
    z.strictObject({
      kind: z.literal('function').meta({ description: 'Calls a deployed function' }),
      functionId: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: 'The id of the function', examples: ['fn_echo'] }),
      tool: z
        .string()
        .min(1)
        .max(128)
        .exactOptional()
        .meta({ description: 'The tool of the function, where it has several', examples: ['echo'] }),
      inputs,
      ...toolParts,
    }),
    z.strictObject({
      kind: z.literal('mcp').meta({ description: 'Calls a tool of a server that speaks the Model Context Protocol' }),
      url: BaseUrl.meta({ description: 'The address of the server', examples: ['https://tools.example.com/mcp'] }),
      auth: CredentialReference.optional().meta({ description: 'The credential of the company that the server is called with' }),
      tool: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: 'The name of the tool at the server', examples: ['search_orders'] }),
      schema: ToolSchema,
      readOnly: z.boolean().optional().meta({ description: 'Whether the server says that the tool changes nothing' }),
      ...toolParts,
    }),
  ])
  .superRefine((tool, context) => {
    if (tool.kind === 'mcp') return; // what the schema lists beside "with" is hidden from the model
    for (const name of Object.keys(tool.with))
      if (Object.hasOwn(tool.inputs, name))
        context.addIssue({
          code: 'custom',
          path: ['with', name],
          message: `"${name}" is an input of the model already: give it in one place`,
        });
  });
export type Tool = z.output<typeof Tool>;

const Exit = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_]{0,40}$/, 'The name of an exit is one word such as ordered')
    .refine((name) => !ownPorts.includes(name), { error: 'The agent has a port of this name already: choose another' })
    .meta({ description: 'The name of the exit, and of its port', examples: ['ordered'] }),
  when: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: 'When the model is to leave by it', examples: ['The order is placed.'] }),
  fields: Fields.optional().meta({ description: 'The values that the model must give' }),
});
export type Exit = z.output<typeof Exit>;

const count = (least: number, most: number, usual: number, description: string) =>
  z.int().min(least).max(most).default(usual).meta({ description });

const Limits = z.strictObject({
  turns: count(1, 100, 20, 'How many messages of the user it answers'),
  modelCalls: count(1, 20, 6, 'How often it asks a model in one turn'),
  toolCalls: count(1, 30, 8, 'How many tools it calls in one turn'),
  tokens: count(1, 10_000_000, 200_000, 'How many tokens it reads and writes in all'),
  cost: z
    .strictObject({
      amount: z.number().positive().max(1_000_000).meta({ description: 'The most that all calls of models may cost' }),
      currency: Currency.meta({ description: 'The currency of the prices', examples: ['USD'] }),
    })
    .optional()
    .meta({ description: 'A budget of money; the models need prices' }),
  invalid: count(1, 10, 4, 'How many answers in a row may be invalid'),
});

const unique = (what: string) => (items: readonly { readonly name: string }[], context: z.core.$RefinementCtx) => {
  for (const [index, { name }] of items.entries())
    if (items.findIndex((other) => other.name === name) < index)
      context.addIssue({ code: 'custom', path: [index, 'name'], message: `There is ${what} "${name}" already` });
};

export const AgentConfig = z
  .strictObject({
    model: Model.meta({ description: 'The model' }),
    fallback: Model.optional().meta({ description: 'The model that is asked when the first one fails or refuses' }),
    instructions: z
      .string()
      .min(1)
      .max(32_768)
      .refine((text) => !isTemplate(text), { error: 'Instructions hold no {{expressions}}: put values into "facts"' })
      .meta({ description: 'What the agent is to do; put values into "facts"', examples: ['You help customers to order.'] }),
    facts: ValueTemplate.optional().meta({
      description: 'Data for the model, filled anew at each turn, which never counts as instructions',
      examples: ['{{$context.customer}}'],
    }),
    opening: Template.optional().meta({
      description: 'The first message to the user; without it, the conversation begins with what the user wrote',
      examples: ['Hello, how can I help?'],
    }),
    tools: z.array(Tool).max(32).superRefine(unique('a tool')).default([]).meta({ description: 'What the model may call' }),
    exits: z
      .array(Exit)
      .min(1)
      .max(12)
      .superRefine(unique('an exit'))
      .meta({ description: 'How the conversation may end; each is a port' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the fields of the exit are kept' }),
    transcriptAs: VariablePath.optional().meta({
      description: 'Where the conversation is kept, with withheld values masked, as a list of { from, text }',
    }),
    history: z
      .strictObject({
        messages: count(1, 200, 40, 'How many messages the model sees'),
        chars: count(1_000, 48_000, 24_000, 'How many characters of them'),
      })
      .prefault({})
      .meta({ description: 'What the model sees of the conversation: the oldest turns are left out' }),
    limits: Limits.prefault({}).meta({ description: 'Budgets: over one of them it leaves by "limit"' }),
    timeout: Duration.prefault('PT60S').meta({ description: 'How long one call of a model may take; a turn has five minutes' }),
    idle: Duration.prefault('PT24H').meta({ description: 'How long it waits for the user before it leaves by "timeout"' }),
    withhold: z
      .array(ReadPath)
      .max(50)
      .default([])
      .meta({ description: 'Variables whose values no model sees: it sees marks, which are put back in messages, tools and exits' }),
    redact: z
      .array(z.enum(['email', 'phone', 'card', 'iban']))
      .default([])
      .meta({ description: 'What is masked in texts of the user and answers of tools, too' }),
    stream: z.boolean().default(false).meta({ description: 'Whether the web chat shows the reply while the model writes it' }),
  })
  .superRefine(({ model, fallback, limits: { cost } }, context) => {
    if (cost === undefined) return;
    for (const [field, one] of Object.entries({ model, fallback }))
      if (one !== undefined && one.price?.currency !== cost.currency)
        context.addIssue({
          code: 'custom',
          path: [field, 'price'],
          message: `A budget in ${cost.currency} needs the price of the model in it`,
        });
  });
export type AgentConfig = z.output<typeof AgentConfig>;

/** The name by which a model leaves by an exit. */
export const exitTool = ({ name }: Pick<Exit, 'name'>): string => `exit_${name}`;
