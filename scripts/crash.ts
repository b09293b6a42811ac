// `npm run crash -- --kills N [--from WORLD] [--json]`: kills real processes at named points and checks what is left.
// Each world is a file and some twenty deaths over it, the same for the same number.
import { availableParallelism } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { runKills } from '../packages/restate/test/kills.ts';
import { howToGetRestate, restateProgram } from '../packages/restate/test/restate-path.ts';
import { runWorld, type WorldResult } from '../tests/crash/campaign.ts';
import { planWorld, worldsPerDeck } from '../tests/crash/plan.ts';
import { crashPoints, type Kill, sides } from '../tests/crash/points.ts';

const usage = `Usage: npm run crash -- [--kills N] [--from WORLD] [--json]
       npm run crash -- --restate [--kills N]

  --kills N     how many deaths at least; each world is played to its end (default: every point once on both sides)
  --from WORLD  the number of the first world (default: 0)
  --json        writes the result as JSON instead of a table
  --restate     kills an engine over Restate, and its server, in turn (default: 60 kills); with the server of HILO_RESTATE_SERVER, else one that is fetched

Where processes get no processor for long, timers are late, calls time out, and what has failed is removed by retention: play a world
with findings again on its own before you believe it.
`;

/** A world and its result. */
interface Played extends WorldResult {
  readonly world: number;
}

const options = readOptions();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.restate) await killOverRestate(options.kills, options.json);
else {
  const worlds = plannedWorlds(options.kills, options.from);
  const played = await play(worlds);
  const findings = played.flatMap(({ world, findings }) => findings.map((finding) => ({ world, finding })));
  const sum = (of: (result: WorldResult) => number): number => played.reduce((total, result) => total + of(result), 0);
  const kills = played.flatMap((result) => result.kills);
  const isWholeDeck = worlds.length >= worldsPerDeck && options.from % worldsPerDeck === 0;
  const unreached = !isWholeDeck ? [] : killsByPoint(kills).filter(({ before, after }) => before === 0 || after === 0);
  const totals = {
    worlds: worlds.length,
    kills: kills.length,
    executions: sum(({ executions }) => executions),
    received: sum(({ received }) => received),
    quarantined: sum(({ quarantined }) => quarantined),
  };
  if (options.json) console.log(JSON.stringify({ ...totals, points: killsByPoint(kills), findings }, null, 2));
  else {
    console.table(killsByPoint(kills));
    console.log(totals);
    for (const { world, finding } of findings) console.log(styleText('red', `world ${world}: ${finding}`));
    for (const { point } of unreached) console.log(styleText('red', `never reached on both sides: ${point}`));
    for (const world of new Set(findings.map((one) => one.world))) console.log(`npm run crash -- --kills 1 --from ${world}`);
    if (findings.length + unreached.length === 0) console.log(styleText('green', `${kills.length} kills, nothing lost`));
  }
  if (findings.length + unreached.length > 0) process.exitCode = 1;
}

/** Kills an engine over Restate, and its server, in turn. */
async function killOverRestate(kills: number, json: boolean): Promise<void> {
  if (restateProgram === undefined) throw new Error(`There is no Restate server: ${howToGetRestate}`);
  const onKill = (killed: number): void => printLine(`${killed} of ${kills} kills`);
  const result = await runKills({ program: restateProgram, kills, users: kills * 5, onKill });
  clearLine();
  console.log(json ? JSON.stringify(result, null, 2) : result);
  if (result.findings.length > 0) process.exitCode = 1;
}

/** @returns `undefined` for anything that is not understood */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string' },
        from: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
        restate: { type: 'boolean', default: false },
      },
    });
    const kills = Number(values.kills ?? (values.restate ? 60 : crashPoints.length * sides.length));
    const from = Number(values.from);
    return Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(from) && from >= 0
      ? { kills, from, json: values.json, restate: values.restate }
      : undefined;
  } catch {
    return undefined;
  }
}

/** As many worlds as needed. */
function plannedWorlds(kills: number, from: number): readonly number[] {
  const worlds: number[] = [];
  for (let planned = 0; planned < kills; ) {
    const world = from + worlds.length;
    worlds.push(world);
    planned += planWorld(world).length;
  }
  return worlds;
}

/** Runs as many worlds at a time as there are processors. */
async function play(worlds: readonly number[]): Promise<readonly Played[]> {
  const left = [...worlds];
  const played: Played[] = [];
  const player = async (): Promise<void> => {
    for (let world = left.shift(); world !== undefined; world = left.shift()) {
      const result = await runWorld(planWorld(world)).catch(unplayed);
      played.push({ world, ...result });
      printProgress(played, worlds.length);
      if (!process.stderr.isTTY) for (const finding of result.findings) process.stderr.write(`[crash] world ${world}: ${finding}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, player));
  clearLine();
  return played.sort((a, b) => a.world - b.world);
}

/** A world that cannot be judged is a finding: those before it and after it count all the same. */
function unplayed(error: unknown): WorldResult {
  return {
    kills: [],
    findings: [`reach: The world was not played to its end: ${error instanceof Error ? error.message : String(error)}`],
    executions: 0,
    quarantined: 0,
    received: 0,
  };
}

function printProgress(played: readonly Played[], worlds: number): void {
  const kills = played.reduce((sum, one) => sum + one.kills.length, 0);
  const broken = played.filter(({ findings }) => findings.length > 0).length;
  printLine(`${played.length} of ${worlds} worlds, ${kills} kills, ${broken} with findings`);
}

/** On stderr: over and over in one line, where that is a terminal. */
function printLine(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001B[2K${line}` : `[crash] ${line}\n`);
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[2K');
}

function killsByPoint(kills: readonly Kill[]) {
  const count = (point: string, side: string): number => kills.filter((kill) => kill.point === point && kill.side === side).length;
  return crashPoints.map(({ name, promises }) => ({
    point: name,
    promises,
    before: count(name, 'before'),
    after: count(name, 'after'),
  }));
}
