/** `npm run --silent admin -- <noun> <verb> [--flags]`: JSON on stdout; exit 1 for what failed, 2 for wrong usage. */
import { usageText } from './command-line.ts';
import { UsageError } from './commands.ts';
import { runCommand } from './run-command.ts';

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

try {
  const answer = await runCommand(process.argv.slice(2), process.env);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
} catch (error) {
  const text = error instanceof Error ? oneLine(error.message) : String(error);
  process.stderr.write(error instanceof UsageError ? `${text}\n${usageText()}` : `${text}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
