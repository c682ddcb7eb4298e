import {
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { ControlTableOptions } from './table-options.ts';

/**
 * Checks at each start that items expire, and turns TTL on where it is off: the process that made the table may have
 * ended before that, or been refused. A failure is logged and does not stop the start, since expiry is checked at
 * each read.
 */
export async function checkTtl(
  client: DynamoDBClient,
  { tableName, ttlAttribute, logger }: ControlTableOptions,
): Promise<void> {
  if (ttlAttribute === undefined) return;
  try {
    const { TimeToLiveDescription: found } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    const status = found?.TimeToLiveStatus;
    if (status === 'ENABLED' || status === 'ENABLING') {
      const { AttributeName } = found ?? {};
      if (AttributeName !== ttlAttribute)
        logger?.error({ tableName, ttlAttribute, found: AttributeName }, 'items expire by another attribute');
      return;
    }
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
      }),
    );
    logger?.info({ tableName, ttlAttribute }, 'items expire from now on: TTL was off');
  } catch (error) {
    logger?.warn(
      { err: error, tableName, ttlAttribute },
      'whether items expire is not known: turn TTL on, or let this process do it (UpdateTimeToLive)',
    );
  }
}
