/** The table of results, as the query engine's benchmark has it. */
import { availableParallelism, cpus, totalmem } from 'node:os';

/** From before this process is put on some of them. */
const CORES = availableParallelism();

export interface BenchRow {
  readonly what: string;
  readonly ours: string;
  /** What it is compared with; empty where with a bound only. */
  readonly theirs: string;
  readonly target: string;
  /** Null where there is no target. */
  readonly met: boolean | null;
}

const METS = new Map<boolean | null, string>([
  [true, 'yes'],
  [false, '**no**'],
  [null, ''],
]);

/** Markdown. Nothing in it tells whose machine it was. */
export function table(rows: readonly BenchRow[], isShort: boolean, note: string): string {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${CORES} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`;
  return [
    '# Benchmark results',
    '',
    `\`make bench-auth\`${isShort ? ' (short form)' : ''}, ${new Date().toISOString().slice(0, 10)}. ${machine}.`,
    'What is timed has the first core for gateway and auth alone; client, local AWS endpoint and stores have the others.',
    '',
    '| what | ours | compared with | target | met |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ what, ours, theirs, target, met }) =>
        `| ${what} | ${ours} | ${theirs} | ${target} | ${METS.get(met)} |`,
    ),
    '',
    note,
    '',
  ].join('\n');
}
