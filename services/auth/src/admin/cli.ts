/** `npm run --silent admin -- <noun> <verb> [--flags]`: JSON on stdout; exit 1 for what failed, 2 for wrong usage. */
import { randomUUID } from 'node:crypto';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { ClaimCommand } from './claim-commands.ts';
import { parseCommandLine, usageText, type AnyCommand } from './command-line.ts';
import { UsageError, type Command, type Flags } from './commands.ts';
import { findConnection, findRedis } from './connection.ts';
import type { QueueCommand } from './dead-letter-commands.ts';

/** Hashing a password is the slowest thing asked for; the rest is auth being away. */
const DEFAULT_TIMEOUT_MS = 10_000;

async function askAuth(command: Command, flags: Flags): Promise<unknown> {
  const { target, operatorToken } = await findConnection(process.env, 'auth');
  const timeoutMs = command.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { client, close } = createRpcClient(AdminService, { target, defaultTimeoutMs: DEFAULT_TIMEOUT_MS });
  try {
    const call = callOptions({ token: operatorToken, requestId: randomUUID(), timeoutMs });
    return await command.run(client, flags, call);
  } catch (error) {
    throw error instanceof UsageError ? error : fromConnectError(error);
  } finally {
    close();
  }
}

async function askRegistry(command: ClaimCommand, flags: Flags): Promise<unknown> {
  const [auth, registry] = await Promise.all([
    findConnection(process.env, 'auth'),
    findConnection(process.env, 'registry'),
  ]);
  const admin = createRpcClient(AdminService, { target: auth.target, defaultTimeoutMs: DEFAULT_TIMEOUT_MS });
  const claims = createRpcClient(ClaimService, {
    target: registry.target,
    defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
  });
  try {
    const call = callOptions({ token: registry.operatorToken, requestId: randomUUID() });
    return await command.run({ admin: admin.client, claims: claims.client }, flags, call);
  } catch (error) {
    throw error instanceof UsageError ? error : fromConnectError(error);
  } finally {
    admin.close();
    claims.close();
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

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

function ask(command: AnyCommand, flags: Flags): Promise<unknown> {
  switch (command.asks) {
    case 'auth':
      return askAuth(command, flags);
    case 'registry':
      return askRegistry(command, flags);
    case 'queues':
      return askQueues(command, flags);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { command, flags } = parseCommandLine(args);
  const answer = await ask(command, flags);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const text = error instanceof Error ? oneLine(error.message) : String(error);
  process.stderr.write(error instanceof UsageError ? `${text}\n${usageText()}` : `${text}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
