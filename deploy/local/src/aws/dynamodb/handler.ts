import type { Authenticator } from '../auth/authenticate.ts';
import type { Principal } from '../auth/principal.ts';
import { AwsError } from '../errors.ts';
import type { Faults } from '../faults.ts';
import { dynamoAnswer, dynamoError, newRequestId, type Answer } from '../http/answer.ts';
import type { WholeRequest } from '../http/request.ts';
import type { AccessCheck } from '../iam/access.ts';
import type { RequestLog } from '../request-log.ts';
import { withTableStatus } from '../table-faults.ts';
import { accessesOf, tableArn, type Place } from './accesses.ts';
import { dynamoAuthenticationError } from './authentication-errors.ts';
import { checkRequest } from './checks/check-request.ts';
import { describeAsAws } from './descriptions.ts';
import { createIndexes, createsIndexes } from './index-creation/create-indexes.ts';
import { parseInput, withTableNames, type Fields } from './input.ts';
import type { LaggingIndexes } from './lag/lagging-indexes.ts';
import { fetchThroughIndex, findLocalIndexFetch } from './local-index-fetch.ts';
import { logEntries } from './log-entries.ts';
import { isAltering, isMetered, operationOf } from './operations.ts';
import { withPrefixRange } from './prefix-range.ts';
import { getProjected, isProjectedGet } from './projected-get.ts';
import { correctResponse, type ConsumedUnits } from './response.ts';
import { findSeveralKeysRead, readBySeveralKeys } from './several-keys/read.ts';
import type { StoreHandle, Stores } from './store/stores.ts';
import { tablesOf } from './tables.ts';
import type { StaleCounts } from './sizes/stale-counts.ts';
import type { TableSizes } from './sizes/table-sizes.ts';

interface DynamoParts {
  readonly authenticate: Authenticator;
  readonly mayDo: AccessCheck;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly stores: Stores;
  readonly sizes: TableSizes;
  readonly staleCounts: StaleCounts;
  readonly lags: LaggingIndexes;
  readonly now: () => number;
}

interface Done {
  readonly answer: Answer;
  readonly consumed: readonly ConsumedUnits[];
  readonly error: string | null;
}

/**
 * DynamoDB: authenticates, authorizes, lets faults happen, refuses what DynamoDB refuses, asks the store, makes
 * its answer AWS's, and logs. Never throws AwsError.
 */
export function createDynamoHandler(parts: DynamoParts) {
  const { authenticate, log, now } = parts;

  return async function handle(target: string, request: WholeRequest): Promise<Answer> {
    const requestId = newRequestId();
    const operation = operationOf(target);
    if (operation === undefined) return dynamoError(new AwsError('UnknownOperationException', ''), requestId);
    const caller = authenticate(request);
    if (caller.kind !== 'accepted') return dynamoError(dynamoAuthenticationError(caller), requestId);
    if (caller.service !== 'dynamodb') return dynamoError(wrongService(), requestId);
    const { principal, region } = caller;
    const place = { accountId: principal.accountId, region };
    let input: Fields = {};
    let done: Done;
    try {
      const written = parseInput(request.body);
      input = withTableNames(written, place.accountId, region);
      done = await perform({ operation, principal, place, written, input, request, requestId });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      done = { answer: dynamoError(error, requestId), consumed: [], error: error.code };
    }
    log.record(place.accountId, logEntries(operation, input, { ...done, atMs: now() }), request.unanswered);
    return done.answer;
  };

  interface Step {
    readonly operation: string;
    readonly principal: Principal;
    readonly place: Place;
    /** The request's body, as it came. */
    readonly written: Fields;
    /** The same with its tables' names in place of their ARNs. */
    readonly input: Fields;
    readonly request: WholeRequest;
    readonly requestId: string;
  }

  async function perform({
    operation,
    principal,
    place,
    written,
    input: asked,
    request,
    requestId,
  }: Step): Promise<Done> {
    const current = parts.stores.find(place.accountId, place.region);
    const handle = parts.lags.over(current, place);
    authorize(operation, principal, place, asked);
    const target = { accountIds: [place.accountId], operation, tableNames: tablesOf(asked) };
    await parts.faults.meet(target, request.hungUp);
    await checkRequest(operation, asked, handle.schemas);
    for (const table of tablesOf(asked))
      await parts.staleCounts.before(tableArn(place, table), operation, () => measured(handle, table));
    const { emulator } = parts.stores;
    const input = emulator.ignoresCaseOfPrefixes ? withPrefixRange(operation, asked) : asked;
    const body = input === written ? request.body : Buffer.from(JSON.stringify(input));
    const capacityAsked =
      input['ReturnConsumedCapacity'] !== undefined && input['ReturnConsumedCapacity'] !== 'NONE';
    const fetch = await findLocalIndexFetch(operation, input, handle);
    const several = await findSeveralKeysRead(operation, input, handle);
    const sent = isMetered(operation) && !capacityAsked ? askingCapacity(input, body) : body;
    const answer = await (fetch !== undefined
      ? fetchThroughIndex(operation, input, fetch, handle, request.hungUp)
      : several !== undefined
        ? parts.lags.whileReading(current, place, several, (late) =>
            readBySeveralKeys(operation, input, several, late, request.hungUp),
          )
        : isProjectedGet(operation, input)
          ? getProjected(operation, input, handle, request.hungUp)
          : emulator.keepsSqliteFile && createsIndexes(operation, input)
            ? createIndexes(input, handle, request.hungUp)
            : handle.store.send(operation, sent, request.hungUp));
    if (isAltering(operation)) handle.schemas.forget();
    if (answer.status !== 200) return refused(answer.status, answer.body, requestId);
    if (isMetered(operation)) {
      const corrected = correctResponse(operation, answer.body, {
        capacityAsked,
        input,
        overcountsCutPages: emulator.overcountsCutPages && several === undefined,
      });
      return {
        answer: dynamoAnswer(200, corrected.body, requestId),
        consumed: corrected.consumed,
        error: null,
      };
    }
    const described = await describeAsAws(
      answer.body,
      place,
      async (table) => parts.staleCounts.of(tableArn(place, table)) ?? measured(handle, table),
    );
    const status = operation === 'DescribeTable' ? parts.faults.statusOf(target) : undefined;
    const shown = status === undefined ? described : withTableStatus(described, status);
    return { answer: dynamoAnswer(200, shown, requestId), consumed: [], error: null };
  }

  async function measured(handle: StoreHandle, table: string) {
    return parts.stores.emulator.keepsSqliteFile ? parts.sizes.of(handle.path, table) : undefined;
  }

  function authorize(operation: string, principal: Principal, place: Place, input: Fields): void {
    for (const access of accessesOf(operation, input, place)) {
      const refusal = parts.mayDo(principal, { ...access, region: place.region });
      if (refusal !== undefined)
        throw new AwsError(
          'AccessDeniedException',
          `User: ${principal.arn} is not authorized to perform: ${access.action} on resource: ${access.resource} ${refusal}`,
        );
    }
  }
}

/** The same request, asking what it consumes. */
function askingCapacity(input: Fields, body: Buffer): Buffer {
  if (input['ReturnConsumedCapacity'] !== undefined)
    return Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
  const separator = Object.keys(input).length > 0 ? ',' : '';
  const start = body.indexOf('{') + 1;
  return Buffer.concat([Buffer.from(`{"ReturnConsumedCapacity":"TOTAL"${separator}`), body.subarray(start)]);
}

function refused(status: number, body: Buffer, requestId: string): Done {
  const type = /"__type"\s*:\s*"(?:[^"#]*#)?([^"#]+)"/.exec(body.toString('utf8'))?.[1];
  return { answer: dynamoAnswer(status, body, requestId), consumed: [], error: type ?? 'UnknownError' };
}

function wrongService(): AwsError {
  return new AwsError(
    'InvalidSignatureException',
    "Credential should be scoped to correct service: 'dynamodb'.",
  );
}
