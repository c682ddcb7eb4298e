/**
 * `make demo`: the whole product in one go. Starts the embedded stack, runs the demo on it, and stays up until Ctrl-C, so
 * that what it printed can be repeated.
 */
import { readStackSettings } from '../stack/settings.ts';
import { startStack, type RunningStack } from '../stack/stack.ts';
import { runDemo } from './run-demo.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

let stack: RunningStack | null = null;
try {
  say('Starting the embedded stack…');
  stack = await startStack(readStackSettings(process.env));
  const running = stack;
  const stop = (): void => void running.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const person = await runDemo(running, say);
  say('The stack stays up. Ctrl-C ends it.');
  if (process.stdin.isTTY) process.stdin.on('data', () => say(`one-time code  ${person.code()}`)).resume();
} catch (error) {
  process.stderr.write(`penstock: ${error instanceof Error ? error.message : String(error)}\n`);
  await stack?.stop();
  process.exit(1);
}
