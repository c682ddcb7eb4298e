/** The table of results. */
import { availableParallelism, cpus, totalmem } from 'node:os';

export interface BenchRow {
  readonly what: string;
  readonly ours: string;
  /** What it is compared with; empty where with a bound only. */
  readonly theirs: string;
  readonly ratio: string;
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
export function report(rows: readonly BenchRow[], form: 'full' | 'short', notes: readonly string[]): string {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`;
  return [
    '# Benchmark results',
    '',
    `\`make bench\`${form === 'short' ? ' (short form)' : ''}, ${new Date().toISOString().slice(0, 10)}. ${machine}.`,
    'Client, canned endpoint, gateway, engine and stores share these cores. Medians of interleaved runs.',
    '',
    '| what | ours | compared with | ratio | target | met |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ what, ours, theirs, ratio, target, met }) =>
        `| ${what} | ${ours} | ${theirs} | ${ratio} | ${target} | ${METS.get(met)} |`,
    ),
    '',
    ...notes,
    '',
  ].join('\n');
}
