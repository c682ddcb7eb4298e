/** `make slt`: runs sqllogictest scripts over REST. Usage: main.ts [--every N] FILE_OR_FOLDER… */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { discardStack, startTestStack } from '../e2e/support/stack.ts';
import { runScript } from './run-file.ts';

/** Failures shown of each file. */
const SHOWN_MAX = 10;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' } },
});
const files: string[] = [];
for (const path of positionals) {
  if ((await stat(path)).isFile()) files.push(path);
  else
    files.push(
      ...(await readdir(path))
        .filter((f) => f.endsWith('.test'))
        .sort()
        .map((f) => join(path, f)),
    );
}

const stack = await startTestStack({ rateLimitRps: 100_000, rateLimitBurst: 100_000, logLevel: 'warn' });
let right = 0;
let wrong = 0;
const skipped: Record<string, number> = {};
try {
  for (const file of files) {
    const started = performance.now();
    const result = await runScript(stack, await readFile(file, 'utf8'), { every: Number(values.every) });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    say(`${basename(file)}: ${result.right} right, ${result.failures.length} wrong, ${seconds} s`);
    for (const failure of result.failures.slice(0, SHOWN_MAX)) {
      say(`  line ${failure.line}: ${failure.sql.replaceAll('\n', ' ')}\n    ${failure.why}`);
    }
    right += result.right;
    wrong += result.failures.length;
    for (const [reason, count] of Object.entries(result.skipped))
      skipped[reason] = (skipped[reason] ?? 0) + count;
  }
} finally {
  await discardStack(stack);
}
say(`\n${right} right, ${wrong} wrong`);
for (const [reason, count] of Object.entries(skipped).sort((a, b) => b[1] - a[1]))
  say(`  skipped ${count}: ${reason}`);
process.exit(wrong === 0 ? 0 : 1);
