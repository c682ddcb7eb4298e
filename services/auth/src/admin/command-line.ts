import { parseArgs } from 'node:util';
import { budgetCommands } from './budget-commands.ts';
import { claimCommands, type ClaimCommand } from './claim-commands.ts';
import { commands as authCommands, UsageError } from './commands.ts';
import type { Command, Flags } from './commands.ts';
import { deadLetterCommands, type QueueCommand } from './dead-letter-commands.ts';

/** A command of any kind. */
export type AnyCommand = Command | QueueCommand | ClaimCommand;

const commands: Readonly<Record<string, Readonly<Record<string, AnyCommand>>>> = {
  ...authCommands,
  budget: budgetCommands,
  'dead-letter': deadLetterCommands,
  claim: claimCommands,
};

interface ParsedCommand {
  readonly command: AnyCommand;
  readonly flags: Flags;
}

/** All commands, a line each. */
export function usageText(): string {
  const lines = Object.entries(commands).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, { synopsis }]) => `  ${`${noun} ${verb} ${synopsis}`.trim()}`),
  );
  return `Usage: npm run --silent admin -- <noun> <verb> [--flags]\n${lines.join('\n')}\n`;
}

function find(noun: string | undefined, verb: string | undefined): AnyCommand {
  const verbs =
    noun === undefined ? undefined : Object.entries(commands).find(([name]) => name === noun)?.[1];
  const found = verbs === undefined ? undefined : Object.entries(verbs).find(([name]) => name === verb)?.[1];
  if (found !== undefined) return found;
  if (noun === undefined) throw new UsageError('A noun and a verb are missing');
  if (verbs === undefined) throw new UsageError(`Unknown noun: ${noun}`);
  throw new UsageError(
    verb === undefined ? `A verb is missing after ${noun}` : `Unknown verb: ${noun} ${verb}`,
  );
}

/** Reads `<noun> <verb> --flag value …`. Throws `UsageError`. */
export function parseCommandLine(args: readonly string[]): ParsedCommand {
  const [noun, verb, ...rest] = args;
  const command = find(noun, verb);
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, need]) => [
      name,
      { type: need === 'switch' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  let values: Readonly<Record<string, string | boolean | undefined>>;
  try {
    values = parseArgs({ args: rest, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') : 'The flags cannot be read',
    );
  }
  const flags: Record<string, string> = {};
  for (const [name, need] of Object.entries(command.flags)) {
    const value = values[name];
    if (value === true) flags[name] = 'true';
    else if (typeof value === 'string' && value !== '') flags[name] = value;
    else if (need === 'required') throw new UsageError(`--${name} is missing`);
  }
  return { command, flags };
}
