import { defineConfig } from '@hilo/server';
import { sizeOfCompany } from './nodes/size-of-company.ts';

// Read by every command that is run in this folder.
export default defineConfig({ nodes: [sizeOfCompany], workspace: './workspace.json' });
