import type { DynamoDBClient, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import type { PenstockError } from '../errors/penstock-error.ts';
import { awaitTable, findTable } from './await-table.ts';
import { missingTable, unmakeableTable } from './missing-table.ts';
import type { ControlTableOptions } from './table-options.ts';
import { checkTtl } from './time-to-live.ts';

/** How often an idle process looks whether its table is there. */
const CHECK_INTERVAL_MS = 10_000;

/** What is known of a table that was there when it was opened. */
export interface TablePresence {
  /** What is wrong, in a sentence; null where nothing is known to be. */
  readonly problem: () => string | null;
  /** Ends the checks. */
  readonly close: () => void;
}

const READS_AND_WRITES: ReadonlySet<string> = new Set([
  'GetItemCommand',
  'QueryCommand',
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'BatchWriteItemCommand',
]);

/**
 * Makes a table again, empty, that vanishes under a running process: somebody deleted it, or a local endpoint
 * restarted and forgot it. Calls that meet it missing wait for one creation, then each is sent once more. Where the
 * table may not be made, or could not be, they end with a PenstockError that names it. An idle process looks by
 * itself from time to time.
 */
export function keepPresent(client: DynamoDBClient, options: ControlTableOptions): TablePresence {
  const { tableName, createIfMissing, logger } = options;
  let known: PenstockError | null = null;
  let making: Promise<void> | null = null;

  function note(error: PenstockError): PenstockError {
    if (known === null) logger?.error({ err: error, tableName }, error.message);
    known = error;
    return error;
  }
  function isThere(): void {
    if (known !== null) logger?.info({ tableName }, 'the table is there again');
    known = null;
  }

  async function make(): Promise<void> {
    try {
      if (await awaitTable(client, options))
        logger?.error({ tableName }, 'the table was gone and has been made again: what it held is lost');
    } catch (error) {
      throw note(unmakeableTable(tableName, error));
    }
    await checkTtl(client, options);
    isThere();
  }
  /** Resolves where a call may be sent again. */
  async function recover(cause: unknown): Promise<void> {
    if (!createIfMissing) throw note(missingTable(tableName, cause));
    making ??= make().finally(() => {
      making = null;
    });
    await making;
  }

  const recovering: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next, context) => {
    if (!READS_AND_WRITES.has(context['commandName'] ?? '')) return next;
    return async (args) => {
      const result = await next(args).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await recover(error);
        return next(args).catch((again: unknown) => {
          throw isMissing(again) ? note(missingTable(tableName, again)) : again;
        });
      });
      isThere();
      return result;
    };
  };
  client.middlewareStack.add(recovering, { step: 'initialize', name: 'keepPresent', override: true });

  async function check(): Promise<void> {
    try {
      const found = await findTable(client, tableName);
      if (found === null) await recover(undefined);
      else if (found.isUsable) isThere();
    } catch {
      // What is wrong with the table has been noted. Other errors, such as DynamoDB being away, show at the next
      // call.
    }
  }
  const timer = setInterval(() => void check(), options.checkIntervalMs ?? CHECK_INTERVAL_MS);
  timer.unref();

  return Object.freeze({ problem: () => known?.message ?? null, close: () => clearInterval(timer) });
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ResourceNotFoundException';
