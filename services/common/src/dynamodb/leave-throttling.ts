import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Keeps the SDK from retrying throttled calls: it would wait for seconds without saying so. Whoever reads a table
 * backs off by segment, and must know in time for the query's deadline. The SDK still retries lost connections and
 * 5xx.
 */
export function leaveThrottling(client: DynamoDBClient): void {
  const standard = client.config.retryStrategy;
  client.config.retryStrategy = async () => {
    const strategy = await standard();
    if (!('refreshRetryTokenForRetry' in strategy)) return strategy;
    return {
      acquireInitialRetryToken: (scope) => strategy.acquireInitialRetryToken(scope),
      refreshRetryTokenForRetry: async (token, info) => {
        if (info.errorType === 'THROTTLING') throw info.error ?? new Error('throttled');
        return strategy.refreshRetryTokenForRetry(token, info);
      },
      recordSuccess: (token) => strategy.recordSuccess(token),
    };
  };
}
