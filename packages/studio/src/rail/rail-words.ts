// The words of the rail, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'rail.title': 'Screens',
  'rail.home': 'Home',
  'rail.inbox': 'Inbox',
  'rail.workflows': 'Workflows',
  'rail.executions': 'Executions',
  'rail.contacts': 'Contacts',
  'rail.campaigns': 'Campaigns',
  'rail.templates': 'Templates',
  'rail.settings': 'Settings',
  'rail.jobs': 'Jobs',
  'rail.audit': 'Audit',
  'rail.more': 'More',
  'rail.account': 'Account',
  'rail.waiting': '{count} {count|person waits|people wait}',
} as const;

const es: PartWords<keyof typeof en>['es'] = {
  'rail.title': 'Pantallas',
  'rail.home': 'Inicio',
  'rail.inbox': 'Bandeja',
  'rail.workflows': 'Flujos',
  'rail.executions': 'Ejecuciones',
  'rail.contacts': 'Contactos',
  'rail.campaigns': 'Campañas',
  'rail.templates': 'Plantillas',
  'rail.settings': 'Ajustes',
  'rail.jobs': 'Tareas',
  'rail.audit': 'Auditoría',
  'rail.more': 'Más',
  'rail.account': 'Cuenta',
  'rail.waiting': '{count} {count|persona espera|personas esperan}',
};

export const railWords: PartWords<keyof typeof en> = { en, es };
