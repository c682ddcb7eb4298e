/** What an operator does with work that was given up: `dead-letter <verb>`. */
import type { DeadLetters } from '@penstock/common/queue/dead-letters.ts';
import { UsageError, type CommandLine, type Flags } from './commands.ts';

/** A command that looks into the queues. */
export interface QueueCommand extends CommandLine {
  readonly asks: 'queues';
  /** Does it, and gives the JSON to print. */
  readonly run: (deadLetters: DeadLetters, flags: Flags) => Promise<unknown>;
}

/** `--job J`, or null for `--all`: one of them, so that nobody means one and gets all. */
function which(flags: Flags): string | null {
  const job = flags['job'];
  if ((job === undefined) === (flags['all'] === undefined)) {
    throw new UsageError('Give either --job or --all');
  }
  return job ?? null;
}

const chosen = {
  asks: 'queues',
  flags: { queue: 'required', job: 'optional', all: 'switch' },
  synopsis: '--queue Q (--job J | --all)',
} as const;

export const deadLetterCommands: Readonly<Record<string, QueueCommand>> = {
  list: {
    asks: 'queues',
    flags: { queue: 'optional' },
    synopsis: '[--queue Q]',
    async run(deadLetters, flags) {
      return { deadLetters: await deadLetters.list(flags['queue'] ?? null) };
    },
  },
  retry: {
    ...chosen,
    async run(deadLetters, flags) {
      const job = which(flags);
      return { queue: flags['queue'], retried: await deadLetters.retry(flags['queue'] ?? '', job) };
    },
  },
  remove: {
    ...chosen,
    async run(deadLetters, flags) {
      const job = which(flags);
      return { queue: flags['queue'], removed: await deadLetters.remove(flags['queue'] ?? '', job) };
    },
  },
};
