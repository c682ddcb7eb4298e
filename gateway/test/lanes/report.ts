import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEAR, type Lane } from './lanes.ts';
import type { FileTiming, LaneResults } from './results.ts';

const DEAREST_SHOWN = 20;

const ROOT = join(import.meta.dirname, '../../..');

/** The results of some lanes. */
export type Results = ReadonlyMap<Lane, LaneResults>;

interface TimedFile extends FileTiming {
  readonly lane: Lane;
}

function timedFiles(results: Results): readonly TimedFile[] {
  return [...results].flatMap(([lane, { files }]) => files.map((file) => ({ ...file, lane })));
}

const cost = ({ cpuSeconds, wallSeconds }: FileTiming): number => Math.max(cpuSeconds ?? 0, wallSeconds);

/** A table of the files that take most, by CPU or by the clock. */
export function dearestFiles(results: Results): string {
  const dearest = timedFiles(results)
    .toSorted((a, b) => cost(b) - cost(a))
    .slice(0, DEAREST_SHOWN);
  const lines = dearest.map(({ file, lane, wallSeconds, cpuSeconds }) => {
    const cpu = cpuSeconds === null ? '-' : cpuSeconds.toFixed(1);
    return `  ${wallSeconds.toFixed(1).padStart(6)} ${cpu.padStart(6)}  ${lane.padEnd(7)} ${file}`;
  });
  return ['The dearest files (seconds, seconds of CPU, lane):', ...lines].join('\n');
}

/** Files above their lane's bound that do not say why at their top; null where there is none. */
export function dearWithoutReason(results: Results): string | null {
  const lines = timedFiles(results)
    .filter((file) => (file[DEAR[file.lane].figure] ?? 0) > DEAR[file.lane].max && !saysWhy(file.file))
    .map(({ file, lane }) => `  ${file}: above ${DEAR[lane].max} s in the lane ${lane}`);
  if (lines.length === 0) return null;
  return ['These files take long and have no comment at their top that begins "Takes long:"', ...lines].join(
    '\n',
  );
}

function saysWhy(file: string): boolean {
  try {
    return /^[ /*]*Takes long:/m.test(readFileSync(join(ROOT, file), 'utf8').slice(0, 2_000));
  } catch {
    return true;
  }
}

/** Characters of an error in the list of failures: a comparison of two long values would fill the screen. The lane's file of results has the whole. */
const ERROR_SHOWN = 3_000;

/** All failures again, since what else was printed is long; null where there is none. */
export function failures(results: Results): string | null {
  const failed = allFailed(results);
  if (failed.length === 0) return null;
  return failed
    .map(({ title, file, error }, i) => `${i + 1}) ${title}\n   ${file}\n${error.slice(0, ERROR_SHOWN)}`)
    .join('\n\n');
}

/** A line for each failure, for whoever sees the end of a run alone, as many CI services show it; null where there is none. */
export function failedTitles(results: Results): string | null {
  const failed = allFailed(results);
  if (failed.length === 0) return null;
  return failed
    .map(
      ({ title, file, error }) =>
        `Failed: ${file}: ${title}: ${(error.split('\n', 1)[0] ?? '').slice(0, 200)}`,
    )
    .join('\n');
}

function allFailed(results: Results): LaneResults['failed'] {
  return [...results.values()].flatMap((lane) => lane.failed);
}

/** Numbers of tests, as the last line of a run has them. */
export function totals(results: Results): string {
  const sum = (of: (lane: LaneResults) => number): number =>
    [...results.values()].reduce((all, lane) => all + of(lane), 0);
  return `${sum((lane) => lane.passed)} passed, ${sum((lane) => lane.failed.length)} failed, ${sum((lane) => lane.skipped)} skipped`;
}
