/** Runs an operator's command: finds the service that it asks, and asks. */
import { randomUUID } from 'node:crypto';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import type { ClaimCommand } from './claim-commands.ts';
import { parseCommandLine } from './command-line.ts';
import { UsageError, type Command, type Flags } from './commands.ts';
import { findConnection, findRedis, type Environment } from './connection.ts';
import type { QueueCommand } from './dead-letter-commands.ts';

/** Hashing a password is the slowest thing asked for; the rest is auth being away. */
const DEFAULT_TIMEOUT_MS = 10_000;

async function askAuth(command: Command, flags: Flags, env: Environment): Promise<unknown> {
  const { target, operatorToken } = await findConnection(env, 'auth');
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

async function askRegistry(command: ClaimCommand, flags: Flags, env: Environment): Promise<unknown> {
  const [auth, registry] = await Promise.all([findConnection(env, 'auth'), findConnection(env, 'registry')]);
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

async function askQueues(command: QueueCommand, flags: Flags, env: Environment): Promise<unknown> {
  // Few commands need what talks to queues, and it takes longer to load than the others take to run.
  const { openDeadLetters } = await import('@penstock/common/queue/dead-letters.ts');
  const silent = createLogger({ service: 'admin', level: 'silent' });
  const deadLetters = await openDeadLetters(await findRedis(env), silent);
  try {
    return await command.run(deadLetters, flags);
  } finally {
    await deadLetters.close();
  }
}

/**
 * Runs what a command line asks for, and gives what is to be printed as JSON.
 *
 * @param args without the program's name, as `tenant create --name Acme`
 * @param env where services are, and what opens them: `findConnection` says which variables
 * @throws UsageError for a command line that is none; PenstockError with what the service says; Error where the services
 *   cannot be found
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<unknown> {
  const { command, flags } = parseCommandLine(args);
  switch (command.asks) {
    case 'auth':
      return askAuth(command, flags, env);
    case 'registry':
      return askRegistry(command, flags, env);
    case 'queues':
      return askQueues(command, flags, env);
  }
}
