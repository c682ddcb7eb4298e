import { SpanKind } from '@opentelemetry/api';
import type { Client, FinalizeRequestMiddleware, MetadataBearer } from '@smithy/types';
import { classifyDynamoError } from '../dynamodb/errors.ts';
import { ATTRIBUTES } from '../telemetry/names.ts';
import { inCallSpan, type Attributes } from '../telemetry/spans.ts';

/** Whose tables or roles a client calls: the tenants', or the service's own. */
type Plane = 'tenant' | 'control';

/** As much of a process's metrics as durations of calls need. */
export interface CallMetrics {
  histogram(
    name: string,
    help: string,
    labels: readonly ('api' | 'operation' | 'plane' | 'outcome')[],
  ): { observe(labels: Readonly<Record<string, string>>, seconds: number): void };
}

/** Whoever wants to know of a client's calls. */
export interface CallObserver {
  readonly plane: Plane;
  readonly metrics?: CallMetrics | undefined;
}

type Api = 'DynamoDB' | 'STS';

/** Refusals that our own conditions ask for. */
const CONDITIONS = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException']);

function outcomeOf(error: unknown): string {
  if (error instanceof Error && CONDITIONS.has(error.name)) return 'condition';
  return classifyDynamoError(error).kind;
}

/** Names of the tables that a request is about. Nothing else of a request may go into a span. */
function tablesOf(input: object): readonly string[] {
  if ('TableName' in input && typeof input.TableName === 'string') return [input.TableName];
  if ('RequestItems' in input && typeof input.RequestItems === 'object' && input.RequestItems !== null)
    return Object.keys(input.RequestItems);
  return [];
}

function attributesOf(api: Api, operation: string, input: object): Attributes {
  const tables = tablesOf(input);
  return {
    ...(api === 'DynamoDB' ? { [ATTRIBUTES.dbSystem]: 'aws.dynamodb' } : {}),
    [ATTRIBUTES.dbOperation]: operation,
    ...(tables.length === 0 ? {} : { [ATTRIBUTES.dynamoTables]: [...tables] }),
  };
}

type Metadata = MetadataBearer['$metadata'];

const metadataOf = (answer: unknown): Metadata =>
  typeof answer === 'object' && answer !== null && '$metadata' in answer
    ? (answer as MetadataBearer).$metadata
    : {};

function answeredAttributes({ requestId, httpStatusCode }: Metadata): Attributes {
  return {
    ...(requestId === undefined ? {} : { [ATTRIBUTES.awsRequestId]: requestId }),
    ...(httpStatusCode === undefined ? {} : { [ATTRIBUTES.httpStatus]: httpStatusCode }),
  };
}

/** Runs one attempt of a call, measures and traces it. `metadata`: what an answer says of itself. */
export type ObserveCall = <T>(
  operation: string,
  input: object,
  call: () => Promise<T>,
  metadata: (answer: T) => Metadata,
) => Promise<T>;

export function createCallObserver(api: Api, { plane, metrics }: CallObserver): ObserveCall {
  const durations = metrics?.histogram(
    'penstock_aws_call_duration_seconds',
    'Duration of calls to AWS by outcome; each attempt counts.',
    ['api', 'operation', 'plane', 'outcome'],
  );
  return (operation, input, call, metadata) =>
    inCallSpan(
      `${api}.${operation}`,
      { kind: SpanKind.CLIENT, attributes: () => attributesOf(api, operation, input) },
      async (span) => {
        const start = performance.now();
        let outcome = 'ok';
        try {
          const answer = await call();
          span.add(answeredAttributes(metadata(answer)));
          return answer;
        } catch (error) {
          outcome = outcomeOf(error);
          span.add(answeredAttributes(metadataOf(error)));
          throw error;
        } finally {
          durations?.observe({ api, operation, plane, outcome }, (performance.now() - start) / 1000);
        }
      },
    );
}

/** Measures and traces every request of a client, each of the SDK's attempts by itself. */
export function observeCalls<Input extends object, Output extends MetadataBearer>(
  client: Pick<Client<Input, Output, unknown>, 'middlewareStack'>,
  api: Api,
  observer: CallObserver,
): void {
  const observe = createCallObserver(api, observer);
  const middleware: FinalizeRequestMiddleware<Input, Output> = (next, handler) => {
    const operation = String(handler['commandName'] ?? 'unknown').replace(/Command$/, '');
    return (args) =>
      observe(
        operation,
        args.input,
        () => next(args),
        ({ output }) => metadataOf(output),
      );
  };
  client.middlewareStack.add(middleware, {
    // After the SDK's retries.
    step: 'finalizeRequest',
    priority: 'low',
    name: 'observeCalls',
    override: true,
  });
}
