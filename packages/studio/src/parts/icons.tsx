// The icons of nodes.
import {
  Bot,
  Braces,
  CalendarClock,
  CircleQuestionMark,
  CircleStop,
  Code,
  CornerUpRight,
  CreditCard,
  Database,
  Dices,
  FileCode2,
  FileText,
  Globe,
  Headset,
  Hourglass,
  ListTree,
  MessageCircleQuestionMark,
  MessageSquare,
  MessagesSquare,
  Play,
  Radio,
  RadioTower,
  Repeat,
  Reply,
  SatelliteDish,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  Sparkles,
  Split,
  SquareFunction,
  StickyNote,
  Store,
  Tags,
  Users,
  Variable,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { createContext, useContext } from 'react';

/** The icons of the standard nodes' catalogue. A host adds those of its own nodes. */
export const standardIcons: { readonly [name: string]: LucideIcon } = {
  play: Play,
  webhook: Webhook,
  'shield-alert': ShieldAlert,
  'shield-check': ShieldCheck,
  'message-square': MessageSquare,
  'message-circle-question-mark': MessageCircleQuestionMark,
  'file-text': FileText,
  'messages-square': MessagesSquare,
  split: Split,
  bot: Bot,
  'list-tree': ListTree,
  dices: Dices,
  repeat: Repeat,
  variable: Variable,
  code: Code,
  hourglass: Hourglass,
  'calendar-clock': CalendarClock,
  radio: Radio,
  'satellite-dish': SatelliteDish,
  'radio-tower': RadioTower,
  workflow: Workflow,
  'corner-up-right': CornerUpRight,
  'circle-stop': CircleStop,
  headset: Headset,
  tags: Tags,
  users: Users,
  globe: Globe,
  'file-code-2': FileCode2,
  database: Database,
  'square-function': SquareFunction,
  sparkles: Sparkles,
  'credit-card': CreditCard,
  reply: Reply,
  'scroll-text': ScrollText,
  'sticky-note': StickyNote,
  store: Store,
  braces: Braces,
};

/** An icon of a host: any component with a size. */
export type HostIcons = { readonly [name: string]: React.ComponentType<{ readonly size?: number }> };

export const IconsContext = createContext<HostIcons>({});

/** The icon of a node type, by its name in the catalogue. */
export function NodeIcon({ name, size = 17 }: { readonly name: string | undefined; readonly size?: number }) {
  const own = useContext(IconsContext);
  const Icon = (name === undefined ? undefined : (own[name] ?? standardIcons[name])) ?? CircleQuestionMark;
  return <Icon size={size} aria-hidden />;
}
