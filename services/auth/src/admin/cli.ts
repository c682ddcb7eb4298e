/** `npm run --silent admin -- <noun> <verb> [--flags]`: JSON on stdout; exit 1 for what failed, 2 for wrong usage. */
import { randomUUID } from 'node:crypto';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { parseCommandLine, usageText } from './command-line.ts';
import { UsageError, type Command, type Flags } from './commands.ts';
import { findConnection, findRedis } from './connection.ts';
import type { QueueCommand } from './dead-letter-commands.ts';

/** Hashing a password is the slowest thing asked for; the rest is auth being away. */
const defaultTimeoutMs = 10_000;

async function askAuth(command: Command, flags: Flags): Promise<unknown> {
  const { target, operatorToken } = await findConnection(process.env);
  const timeoutMs = command.timeoutMs ?? defaultTimeoutMs;
  const { client, close } = createRpcClient(AdminService, { target, defaultTimeoutMs });
  try {
    const call = callOptions({ token: operatorToken, requestId: randomUUID(), timeoutMs });
    return await command.run(client, flags, call);
  } catch (error) {
    throw error instanceof UsageError ? error : fromConnectError(error);
  } finally {
    close();
  }
}

async function askQueues(command: QueueCommand, flags: Flags): Promise<unknown> {
  // Few commands need what talks to queues, and it takes longer to load than the others take to run.
  const { openDeadLetters } = await import('@penstock/common/queue/dead-letters.ts');
  const silent = createLogger({ service: 'admin', level: 'silent' });
  const deadLetters = await openDeadLetters(await findRedis(process.env), silent);
  try {
    return await command.run(deadLetters, flags);
  } finally {
    await deadLetters.close();
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { command, flags } = parseCommandLine(args);
  const answer = command.asks === 'auth' ? await askAuth(command, flags) : await askQueues(command, flags);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const text = error instanceof Error ? error.message.replaceAll(/\s*\n\s*/g, ' ') : String(error);
  process.stderr.write(error instanceof UsageError ? `${text}\n${usageText()}` : `${text}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
