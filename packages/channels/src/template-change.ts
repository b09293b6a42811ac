// What a provider says of a template: in a delivery, or in the list of its management API.
import type { JsonObject } from '@hilo/engine/contract';
import type { TemplateContent } from '@hilo/nodes/effects';

/** The template that a provider speaks of. */
export interface ToldTemplate {
  readonly elementName: string;
  /** As the provider writes it: `en`, `es_MX`, in some deliveries `es-MX`. */
  readonly language: string;
  /** The provider's own id of it. */
  readonly providerId?: string | undefined;
}

/** One thing that a provider says of a template. */
export type TemplateChange = ToldTemplate & {
  /** When it was so, according to the provider; 0 where it does not say. */
  readonly atMs: number;
} & (
    | { readonly what: 'status'; readonly status: string; readonly reason?: string | undefined }
    /** It may be sent as before, and there is something to know, such as that it may soon be stopped. */
    | { readonly what: 'notice'; readonly reason: string }
    | { readonly what: 'quality'; readonly quality: string }
    | { readonly what: 'category'; readonly category: string }
    /** Its category will be another one. */
    | { readonly what: 'categoryToCome'; readonly category: string }
  );

/** A template as the list of a provider has it. */
export interface ListedTemplate extends ToldTemplate {
  readonly status: string;
  readonly reason?: string | undefined;
  readonly category: string;
  /** The category that it will have. */
  readonly categoryToCome?: string | undefined;
  readonly quality?: string | undefined;
  /** Its components as the provider has them; empty where it tells none. */
  readonly components: readonly JsonObject[];
}

/** A page of the templates of an account. @property next - where the next one begins; undefined for the last */
export interface TemplatePage {
  readonly templates: readonly ListedTemplate[];
  readonly next?: string | undefined;
}

/** Why a provider did not do what it was asked. @property wasSent - whether it may have been done all the same */
export interface TemplateRefusal {
  readonly kind: 'refused';
  readonly cause: string;
  readonly message: string;
  readonly wasSent: boolean;
}

/** A template that is to be reviewed by the provider. */
export interface NewTemplate extends TemplateContent {
  readonly elementName: string;
  readonly language: string;
  readonly category: string;
}

/** The management of a provider's templates. */
export interface TemplateManagement<Config, Context> {
  /** The field of the bot's provider that names its account; without it nothing can be managed. */
  readonly accountField: string;
  /** The account whose templates they are: bots of one account have the same. Undefined where the bot does not name it. */
  account(config: Config): string | undefined;
  list(from: string | undefined, context: Context): Promise<TemplatePage | TemplateRefusal>;
  /** Makes a template and submits it. Its status is what the provider says at once. */
  create(
    template: NewTemplate,
    context: Context,
  ): Promise<
    { readonly kind: 'created'; readonly providerId?: string; readonly status: string; readonly category: string } | TemplateRefusal
  >;
  /** Deletes one language of a template. One that is not there is deleted. */
  remove(template: ToldTemplate, context: Context): Promise<{ readonly kind: 'removed' } | TemplateRefusal>;
}
