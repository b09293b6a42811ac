import type { PortTone } from './ports.ts';

export const ink = {
  title: '#0f172a',
  text: '#334155',
  faint: '#64748b',
  line: '#94a3b8',
  border: '#dbe2ea',
  paper: '#f8fafc',
  dots: '#e2e8f0',
} as const;
/** Ports and the lines that leave by them. */
export const toneColours: { readonly [Tone in PortTone]: string } = {
  plain: '#475569',
  aside: '#b45309',
  error: '#dc2626',
  faulty: '#dc2626',
};
