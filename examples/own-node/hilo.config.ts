import { defineConfig } from '@hilo/server';
import { leadScores, scoreLead } from './score-lead.ts';

// Read by every command that is run in this folder: serve, validate, run, render, import.
export default defineConfig({ nodes: [scoreLead], drivers: [leadScores], workspace: './workspace.json' });
