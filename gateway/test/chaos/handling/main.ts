/**
 * `make check-faults`: takes the handling of each failure out of a copy of the repository and runs the test that must
 * fail then, having seen it pass before. `--only text` takes the cases whose failure and name hold the text.
 */
import { parseArgs } from 'node:util';
import { HANDLING_CASES } from './cases.ts';
import { endProcessesOf } from './end-processes.ts';
import type { HandlingCase } from './modes.ts';
import { runTest, type Outcome } from './run-test.ts';
import { copyTree, type Tree } from './tree.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Null when all is well, else what is not. */
async function problemOf(
  tree: Tree,
  { test, edit }: HandlingCase,
  unedited: (test: HandlingCase['test']) => Promise<Outcome>,
): Promise<string | null> {
  const before = await unedited(test);
  if (before.kind !== 'passed')
    return `fails as it is: ${before.kind === 'failed' ? before.message : before.what}`;
  const outcome = await tree.edited(edit, () => runTest(tree, test));
  switch (outcome.kind) {
    case 'passed':
      return 'PASSES WITHOUT THE HANDLING';
    case 'unclear':
      return `says nothing without the handling: ${outcome.what}`;
    case 'failed':
      say(`    without it: ${outcome.message.split('\n')[0]?.slice(0, 160)}`);
      return null;
  }
}

const chosen = HANDLING_CASES.filter(({ name, mode }) => `${mode}: ${name}`.includes(values.only));
const seen = new Map<string, Promise<Outcome>>();
const tree = await copyTree();
const stop = (): void => {
  // The test that runs has the path in its command line, too.
  void endProcessesOf(tree.temp)
    .then(() => tree.remove())
    .finally(() => process.exit(130));
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
let problems = 0;
try {
  const unedited = (test: HandlingCase['test']): Promise<Outcome> => {
    const key = `${test.file} ${test.title}`;
    const outcome = seen.get(key) ?? runTest(tree, test);
    seen.set(key, outcome);
    return outcome;
  };
  for (const one of chosen) {
    say(`${one.mode}: ${one.name}`);
    say(`    ${one.test.file}: ${one.test.title}`);
    const problem = await problemOf(tree, one, unedited);
    if (problem !== null) {
      problems += 1;
      say(`    ${problem}`);
    }
  }
} finally {
  await tree.remove();
}
say(`${chosen.length - problems} of ${chosen.length} tests fail without the handling that they are for`);
process.exitCode = problems === 0 && chosen.length > 0 ? 0 : 1;
