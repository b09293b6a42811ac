// The one rule "is this a message of a person to this bot, in private", as a table over every type that each provider documents.
import type { JsonObject } from '@hilo/engine/contract';
import type { ChannelEvent, Meaning, Written } from './channel-event.ts';

const all = <Name extends Meaning>(meaning: Name, names: readonly string[]): { readonly [type: string]: Name } =>
  Object.fromEntries(names.map((name) => [name, meaning]));

/** Messages and postbacks of pages: the type of an attachment, or the field of the event. */
const page = {
  ...all('message', ['text', 'image', 'audio', 'video', 'file', 'location', 'fallback', 'template', 'postback', 'quick_reply', 'product']),
  ...all('message', [
    'share',
    'story_mention',
    'reel',
    'ig_reel',
    'ig_story',
    'ig_post',
    'post',
    'sticker',
    'like_heart',
    'appointment_booking',
  ]),
  ...all('opening', ['referral']),
  ...all('ephemeral', ['ephemeral', 'ig_ephemeral']),
  ...all('unsupported', ['unsupported_type', 'is_unsupported', 'unknown']),
  ...all('call', ['call', 'calls', 'call_permission_reply', 'call_settings_update']),
  ...all('system', ['message_request', 'app_roles', 'policy_enforcement', 'pass_thread_control', 'take_thread_control']),
  ...all('system', ['request_thread_control', 'account_linking', 'customer_information', 'group_feed', 'policy-enforcement']),
  ...all('activity', ['optin', 'game_play', 'payment', 'pre_checkout', 'checkout_update', 'feature_status', 'lead', 'response_feedback']),
  ...all('activity', ['inbox_labels', 'send_cart', 'in_thread_lead_form_submit', 'messaging_in_thread_lead_form_submit']),
  ...all('system', ['business_integrity', 'messaging_integrity', 'standby']),
  ...all('status', ['marketing_message_delivery_failed', 'marketing_message_deliveries', 'marketing_message_reads', 'messaging_seen']),
  ...all('activity', ['marketing_message_clicks']),
  ...all('activity', ['typing', 'comments', 'live_comments', 'mentions', 'story_insights', 'feed', 'messaging_feedback']),
  ...all('reaction', ['reaction']),
  ...all('edit', ['message_edit', 'message_context']),
  ...all('deletion', ['is_deleted']),
  ...all('echo', ['is_echo', 'is_self']),
  ...all('status', ['read', 'delivery', 'seen']),
};

/**
 * Every type that a provider documents, by kind of provider. A type that is not listed came after this table was written: it is
 * `unsupported`, since what it holds is not known.
 */
export const documentedTypes = {
  'whatsapp-cloud': {
    ...all('message', ['text', 'image', 'audio', 'voice', 'video', 'document', 'sticker', 'location', 'contacts', 'button', 'order']),
    ...all('message', [
      'interactive',
      'interactive/button_reply',
      'interactive/list_reply',
      'interactive/nfm_reply',
      'interactive/unknown',
    ]),
    ...all('ephemeral', ['ephemeral', 'view_once', 'media_placeholder']),
    ...all('unsupported', ['unsupported', 'unknown', 'errors', 'poll', 'poll_creation', 'poll_update', 'event', 'gif', 'hsm']),
    ...all('unsupported', ['keep_in_chat', 'pin_in_chat', 'payment', 'list', 'product_inquiry', 'group_invite']),
    ...all('call', ['call', 'calls', 'interactive/call_permission_reply', 'call_log']),
    ...all('system', ['system', 'group', 'notification']),
    ...all('activity', ['request_welcome', 'user_preferences', 'automatic_events', 'tracking_events']),
    // The fields of deliveries about the account, or about what was said before there was a bot.
    ...all('system', ['account_update', 'account_alerts', 'account_review_update', 'account_settings_update', 'account_offboarded']),
    ...all('system', ['account_reconnected', 'business_capability_update', 'business_status_update', 'phone_number_name_update']),
    ...all('system', ['phone_number_quality_update', 'security', 'flows', 'history', 'smb_app_state_sync', 'partner_solutions']),
    ...all('system', ['payment_configuration_update', 'message_template_components_update', 'template_correct_category_detection']),
    ...all('system', ['standby', 'messaging_handovers', 'business_username_update']),
    ...all('system', ['group_lifecycle_update', 'group_participants_update', 'group_settings_update', 'group_status_update']),
    ...all('reaction', ['reaction']),
    ...all('edit', ['edit']),
    ...all('deletion', ['revoke']),
    ...all('echo', ['message_echoes']),
  },
  messenger: page,
  instagram: page,
  slack: {
    ...all('message', ['message', 'app_mention', 'message/file_share', 'message/thread_broadcast', 'message/reply_broadcast']),
    ...all('message', ['message/me_message', 'block_actions', 'command']),
    ...all('echo', ['message/bot_message', 'message/assistant_app_thread']),
    ...all('edit', ['message/message_changed', 'message/message_replied']),
    ...all('deletion', ['message/message_deleted', 'message/tombstone']),
    ...all('reaction', ['reaction_added', 'reaction_removed']),
    ...all('call', ['message/sh_room_created', 'message/huddle_thread', 'call_rejected']),
    ...all('system', ['message/channel_join', 'message/channel_leave', 'message/channel_topic', 'message/channel_purpose']),
    ...all('system', ['message/channel_name', 'message/channel_archive', 'message/channel_unarchive', 'message/channel_canvas_updated']),
    ...all('system', ['message/channel_posting_permissions', 'message/channel_convert_to_private', 'message/group_join']),
    ...all('system', [
      'message/group_leave',
      'message/group_topic',
      'message/group_purpose',
      'message/group_name',
      'message/group_archive',
    ]),
    ...all('system', ['message/group_unarchive', 'message/bot_add', 'message/bot_remove', 'message/bot_enable', 'message/bot_disable']),
    ...all('system', ['message/ekm_access_denied', 'message/pinned_item', 'message/unpinned_item', 'message/reminder_add']),
    ...all('system', ['message/joiner_notification', 'message/joiner_notification_for_inviter', 'message/file_comment']),
    ...all('system', ['message/file_mention', 'message/document_mention', 'message/document_comment_root']),
    ...all('system', [
      'app_uninstalled',
      'tokens_revoked',
      'app_rate_limited',
      'ssl_check',
      'team_join',
      'user_change',
      'member_joined_channel',
    ]),
    ...all('system', ['member_left_channel', 'channel_rename', 'channel_archive', 'im_created', 'im_open', 'im_close']),
    ...all('activity', ['app_home_opened', 'assistant_thread_started', 'assistant_thread_context_changed', 'link_shared', 'file_shared']),
    ...all('activity', [
      'interactive_message',
      'shortcut',
      'message_action',
      'view_submission',
      'view_closed',
      'block_suggestion',
      'dialog_submission',
    ]),
    ...all('activity', ['dialog_cancellation', 'dialog_suggestion', 'workflow_step_edit', 'workflow_step_execute', 'function_executed']),
    ...all('system', ['message/bot_removed', 'message/channel_convert_to_public', 'url_verification']),
    ...all('echo', ['message/slackbot_response']),
    ...all('call', ['user_huddle_changed']),
    ...all('system', ['channel_created', 'channel_deleted', 'channel_history_changed', 'channel_id_changed', 'channel_left']),
    ...all('system', ['channel_shared', 'channel_unarchive', 'channel_unshared', 'email_domain_changed', 'grid_migration_started']),
    ...all('system', ['grid_migration_finished', 'group_archive', 'group_close', 'group_deleted', 'group_history_changed', 'group_left']),
    ...all('system', ['group_open', 'group_rename', 'group_unarchive', 'im_history_changed', 'invite_requested', 'scope_denied']),
    ...all('system', ['scope_granted', 'shared_channel_invite_accepted', 'shared_channel_invite_approved']),
    ...all('system', ['shared_channel_invite_declined', 'shared_channel_invite_received', 'subteam_created', 'subteam_members_changed']),
    ...all('system', ['subteam_self_added', 'subteam_self_removed', 'subteam_updated', 'team_access_granted', 'team_access_revoked']),
    ...all('system', ['team_domain_change', 'team_rename', 'app_requested', 'app_installed', 'app_deleted', 'app_uninstalled_team']),
    ...all('system', ['resources_added', 'resources_removed', 'user_resource_denied', 'user_resource_granted', 'user_resource_removed']),
    ...all('activity', ['dnd_updated', 'dnd_updated_user', 'file_deleted', 'file_public', 'file_unshared', 'user_profile_changed']),
    ...all('activity', ['user_status_changed', 'message_metadata_posted', 'message_metadata_updated', 'message_metadata_deleted']),
    ...all('activity', ['workflow_published', 'workflow_unpublished', 'workflow_deleted', 'workflow_step_deleted', 'edit_step']),
    ...all('activity', ['entity_details_requested', 'app_context_changed']),
    ...all('activity', ['pin_added', 'pin_removed', 'star_added', 'star_removed', 'emoji_changed', 'file_created', 'file_change']),
  },
  teams: {
    ...all('message', ['message', 'invoke/adaptiveCard/action']),
    ...all('edit', ['messageUpdate']),
    ...all('deletion', ['messageDelete']),
    ...all('reaction', ['messageReaction']),
    ...all('call', ['event/application/vnd.microsoft.meetingParticipantJoin', 'event/application/vnd.microsoft.meetingParticipantLeave']),
    ...all('call', ['event/application/vnd.microsoft.meetingStart', 'event/application/vnd.microsoft.meetingEnd']),
    ...all('system', ['conversationUpdate', 'contactRelationUpdate', 'installationUpdate', 'endOfConversation', 'deleteUserData', 'trace']),
    ...all('activity', ['typing', 'invoke', 'event', 'command', 'commandResult', 'suggestion', 'handoff', 'delay']),
    ...all('status', ['event/application/vnd.microsoft.readReceipt']),
  },
  x: {
    ...all('message', ['message_create']),
    ...all('system', ['participants_join', 'participants_leave', 'user_event', 'welcome_message', 'block_events', 'mute_events']),
    ...all('activity', ['tweet_create_events', 'favorite_events', 'follow_events', 'unfollow_events', 'tweet_delete_events']),
    ...all('activity', ['direct_message_indicate_typing_events']),
    ...all('status', ['direct_message_mark_read_events']),
  },
} as const satisfies { readonly [provider: string]: { readonly [type: string]: Meaning } };

/**
 * Types in the common form (EVT-02) that are no message, whatever the provider: what hosts send by `custom` and `log`, and adapters of
 * their own. Every other type is a message: the names of types are the host's own.
 */
const commonTypes: { readonly [type: string]: Meaning } = {
  ...all('unsupported', ['unsupported', 'unknown']),
  ...all('ephemeral', ['ephemeral']),
  ...all('call', ['call', 'call_permission_reply']),
  ...all('system', ['system', 'join', 'leave', 'notification']),
  ...all('activity', ['request_welcome', 'typing', 'activity']),
  ...all('reaction', ['reaction']),
  ...all('edit', ['edit']),
  ...all('deletion', ['deletion', 'revoke']),
  ...all('echo', ['echo']),
  ...all('status', ['status', 'read', 'delivered']),
  ...all('opening', ['referral']),
};

/** The meaning of a type of a provider. */
export function meaningOf(kind: string, type: string): Meaning {
  const types: { readonly [type: string]: Meaning } | undefined = Object.hasOwn(documentedTypes, kind)
    ? documentedTypes[kind as keyof typeof documentedTypes]
    : undefined;
  if (types === undefined) return Object.hasOwn(commonTypes, type) ? (commonTypes[type] ?? 'message') : 'message';
  return Object.hasOwn(types, type) ? (types[type] ?? 'unsupported') : 'unsupported';
}

/** The meaning of a message: where and by whom it was written counts before its type. */
function judge(kind: string, message: JsonObject & { readonly type: string }, written: Written | undefined): Meaning {
  const isGroup = written?.inGroup ?? ['groupId', 'group_id'].some((name) => typeof message[name] === 'string' && message[name] !== '');
  if (isGroup) return 'group';
  if (written?.byBot ?? ['isEcho', 'is_echo'].some((name) => message[name] === true)) return 'echo';
  return written === undefined ? meaningOf('', message.type) : meaningOf(kind, written.type);
}

/** Applies the rule to an event of an adapter of this kind: a message that is none becomes a notice. */
export function applyMeaning(kind: string, event: ChannelEvent): ChannelEvent {
  if (event.kind !== 'message') return event;
  const { written, ...told } = event;
  const meaning = judge(kind, told.message, written);
  if (meaning === 'message') return told;
  if (meaning === 'opening') return { ...told, isOpening: true };
  if (meaning !== 'echo') return { ...told, kind: 'notice', what: meaning };
  // An event in the common form names the user, whoever wrote.
  const isToUser = written === undefined || written.toUser === true;
  return {
    ...told,
    kind: 'notice',
    what: meaning,
    ...(isToUser && { isToUser }),
    ...(isToUser && written?.byPerson === true && { isByPerson: true }),
  };
}
