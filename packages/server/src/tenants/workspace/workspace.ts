import type { ChannelAdapter } from '@hilo/drivers';
import { Duration, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { ApiKey, Client, Credential, Function } from './access.ts';
import { Conversation, Operator, Room, Tag, Team } from './attention.ts';
import { botSchema } from './bot.ts';
import { list, Name, NumberId, optional, Text } from './fields.ts';
import { Campaign, Template, User } from './messaging.ts';

/** Groups an operator's messages (GRP-01): 1 to 20 seconds. */
const OperatorGrouping = z.strictObject({
  enabled: z.boolean(),
  window: Duration.refine((windowMs) => windowMs >= 1_000 && windowMs <= 20_000, { error: 'The window is PT1S to PT20S' }),
});

/** Whatever canvases read as `$company.settings`; what Hilo itself reads of it is checked. */
const CompanySettings = z
  .record(z.string(), z.json())
  .superRefine(({ operatorGrouping }, context) => {
    if (operatorGrouping === undefined) return;
    for (const { path, message } of OperatorGrouping.safeParse(operatorGrouping).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['operatorGrouping', ...path], message });
  })
  .transform((settings): JsonObject => settings);

/** A canvas of the company: in a file, or as it is. */
const Workflow = z
  .strictObject({
    file: optional(Text.min(1)),
    canvas: optional(z.unknown()),
    /** Else it is kept as a draft. */
    publish: z.boolean().default(false),
    /** A draft that differs from what is published: an export of a workflow that is being worked on has it. */
    draft: optional(z.unknown()),
  })
  .refine(({ file, canvas }) => (file === undefined) !== (canvas === undefined), {
    error: 'A workflow has either "file" or "canvas"',
    path: ['file'],
  });

const companySchema = (adapters: readonly ChannelAdapter[]) =>
  z.strictObject({
    id: NumberId,
    name: Name,
    kind: z.enum(['self-service', 'enterprise']).default('self-service'),
    plan: z.enum(['free', 'builder', 'growth', 'enterprise']),
    settings: CompanySettings.default({}),
    clients: list(Client),
    apiKeys: list(ApiKey),
    bots: list(botSchema(adapters)),
    users: list(User),
    templates: list(Template),
    campaigns: list(Campaign),
    teams: list(Team),
    operators: list(Operator),
    tags: list(Tag),
    rooms: list(Room),
    conversations: list(Conversation),
    functions: list(Function),
    credentials: list(Credential),
    workflows: list(Workflow),
  });
export type WorkspaceCompany = z.output<ReturnType<typeof companySchema>>;

/**
 * A workspace: everything a company is made of, as a file describes it (DESIGN.md, "The workspace file"). Unknown fields are
 * refused.
 *
 * @param adapters - the kinds of provider that bots may have
 */
export const workspaceSchema = (adapters: readonly ChannelAdapter[]) =>
  z.strictObject({ $schema: optional(z.string()), companies: z.array(companySchema(adapters)) });
export type WorkspaceSchema = ReturnType<typeof workspaceSchema>;
export type Workspace = z.output<WorkspaceSchema>;
