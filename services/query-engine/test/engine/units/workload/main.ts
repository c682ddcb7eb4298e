/**
 * `make units`: what a generated workload costs beside what it could cost, for each table shape and kind of query.
 * QUERIES=20 of each kind and shape; SEED repeats a run; ORDERS=4000 of each shape; SHAPES=zipf,hot runs these alone; WORST=20 lists so many queries.
 */
import { misestimatedOf, reportOf, worstOf } from './report.ts';
import { runTask, tasksOf, type Extent, type Outcome, type Task } from './run-workload.ts';
import { SHAPES, tablesOf, type Shape } from './shapes.ts';
import { sizesFor } from './values.ts';
import { startWorkloadEngine, type View, type WorkloadEngine } from './workload-engine.ts';

const extent: Extent = {
  perKind: Number(process.env['QUERIES'] ?? 20),
  seed: Number(process.env['SEED'] ?? 13),
  sizes: sizesFor(Number(process.env['ORDERS'] ?? 4000)),
};
const worst = Number(process.env['WORST'] ?? 10);
const asked = process.env['SHAPES']?.split(',') ?? [];
const unknown = asked.find((name) => !SHAPES.some((shape) => shape === name));
if (unknown !== undefined) throw new Error(`no shape ${unknown}: there are ${SHAPES.join(', ')}`);
const shapes: readonly Shape[] = SHAPES.filter((shape) => asked.length === 0 || asked.includes(shape));

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function pass(engine: WorkloadEngine, view: View, tasks: readonly Task[]): Promise<readonly Outcome[]> {
  say(`${tasks.length} queries: ${view}`);
  const outcomes: Outcome[] = [];
  for (const task of tasks) outcomes.push(await runTask(engine, view, task));
  return outcomes;
}

function show(title: string, outcomes: readonly Outcome[]): void {
  const parts = [
    `## ${title}`,
    reportOf(outcomes),
    `What lost most:\n\n${worstOf(outcomes, worst)}`,
    `What came out otherwise than estimated:\n\n${misestimatedOf(outcomes, worst)}`,
  ];
  process.stdout.write(`\n${parts.join('\n\n')}\n`);
}

say('making the tables');
const engine = await startWorkloadEngine(
  shapes.flatMap((shape) => tablesOf(shape, extent.seed, extent.sizes)),
);
try {
  const tasks = shapes.flatMap((shape) => tasksOf(shape, engine.tables, extent));
  show('Sampled tables, first execution', await pass(engine, 'sampled', tasks));
  show('Sampled tables, second execution of each statement', await pass(engine, 'sampled', tasks));
  const otherwise = shapes.flatMap((shape) => tasksOf(shape, engine.tables, extent, 'otherwise'));
  show('Sampled tables, conditions as programs write them', await pass(engine, 'sampled', otherwise));
  show('Fresh tables, without any sample', await pass(engine, 'fresh', tasks));
} finally {
  await engine.close();
}
