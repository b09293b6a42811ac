import { interrupted, type ProviderErrors, rateLimited, refusedAs, unauthorized, unavailable } from '../provider-answer.ts';

/** The codes of `chat.postMessage`, which come with status 200 and `ok: false`. */
export const slackErrors: ProviderErrors = {
  invalid_auth: unauthorized,
  not_authed: unauthorized,
  account_inactive: unauthorized,
  token_revoked: unauthorized,
  token_expired: unauthorized,
  missing_scope: unauthorized,
  not_allowed_token_type: unauthorized,
  no_permission: unauthorized,
  org_login_required: unauthorized,
  ekm_access_denied: unauthorized,
  access_denied: unauthorized,
  team_access_not_granted: unauthorized,
  two_factor_setup_required: unauthorized,
  enterprise_is_restricted: unauthorized,

  ratelimited: rateLimited,
  rate_limited: rateLimited,
  message_limit_exceeded: rateLimited,
  service_unavailable: unavailable,
  team_added_to_org: unavailable,
  // Slack documents of these two that a part of the operation may have succeeded.
  internal_error: interrupted,
  fatal_error: interrupted,
  request_timeout: interrupted,

  channel_not_found: refusedAs('USER_NOT_FOUND'),
  not_in_channel: refusedAs('USER_NOT_FOUND'),
  is_archived: refusedAs('USER_NOT_FOUND'),
  user_not_found: refusedAs('USER_NOT_FOUND'),
  messages_tab_disabled: refusedAs('USER_NOT_FOUND'), // the app accepts no direct messages
  cannot_dm_bot: refusedAs('USER_NOT_FOUND'),
  user_disabled: refusedAs('USER_NOT_FOUND'),

  msg_too_long: refusedAs('INVALID_REQUEST'),
  no_text: refusedAs('INVALID_REQUEST'),
  invalid_blocks: refusedAs('INVALID_REQUEST'),
  invalid_blocks_format: refusedAs('INVALID_REQUEST'),
  msg_blocks_too_long: refusedAs('INVALID_REQUEST'),
  invalid_arguments: refusedAs('INVALID_REQUEST'),
};
