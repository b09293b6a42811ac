import { availableParallelism } from 'node:os';

/** What the figures are measured on. */
const machine = { node: process.versions.node, cpus: availableParallelism(), platform: `${process.platform} ${process.arch}` };

/** The same in one line. */
export const machineText = `Node ${machine.node} · ${machine.platform} · ${machine.cpus} CPUs`;
