import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAuthenticator } from './auth/authenticate.ts';
import { createSessionTokens } from './auth/session-token.ts';
import { createSigner } from './auth/signature.ts';
import { answerControl } from './control-api.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';
import { createDynamoHandler } from './dynamodb/handler.ts';
import { createLaggingIndexes } from './dynamodb/lag/lagging-indexes.ts';
import { createStaleCounts } from './dynamodb/sizes/stale-counts.ts';
import { createTableSizes } from './dynamodb/sizes/table-sizes.ts';
import { dynalite } from './dynamodb/store/dynalite.ts';
import { dynoxide, findDynoxide } from './dynamodb/store/dynoxide.ts';
import { createStores } from './dynamodb/store/stores.ts';
import { AwsError } from './errors.ts';
import { createFaults } from './faults.ts';
import { dynamoError, jsonAnswer, newRequestId, type Answer } from './http/answer.ts';
import { readBody } from './http/read-body.ts';
import type { WholeRequest } from './http/request.ts';
import { createCallerWatch } from './http/watch-caller.ts';
import { createAccessCheck } from './iam/access.ts';
import { createIamApi } from './iam/api.ts';
import { openRoleStore } from './iam/role-store.ts';
import {
  CONTROL_REQUEST_BYTES_MAX,
  DRAIN_MS_MAX,
  DYNAMODB_REQUEST_BYTES_MAX,
  IDLE_MS_MAX,
  QUERY_REQUEST_BYTES_MAX,
} from './limits.ts';
import { createQueryHandler } from './query/handler.ts';
import { createRequestLog } from './request-log.ts';
import { createStsApi } from './sts/api.ts';
import { createAssumeRole } from './sts/assume-role.ts';

export interface AwsEndpointOptions {
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** Folder for everything that outlives the process; made when it is not there. One endpoint at a time. */
  readonly dataDir: string;
  /** `dynoxide` where the platform has it, else `dynalite`, unless said here. */
  readonly emulator?: 'dynoxide' | 'dynalite';
  /** Milliseconds since the epoch, for tests of what expires. */
  readonly now?: () => number;
  /** In [0, 1), for tests of faults with a probability. */
  readonly random?: () => number;
}

export interface AwsEndpoint {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Ends the emulators of an account that nobody needs for now; its next request starts them again. */
  release(accountId: string): Promise<void>;
  /** Lets open requests finish, then ends the stores. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in for AWS on one address: DynamoDB, IAM and STS for any number of accounts, with signatures,
 * trust policies, external IDs and permissions enforced, and faults on demand. A 12-digit access key ID is its
 * account's owner, whose secret is `test`.
 */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const { dataDir, now = Date.now, host = '127.0.0.1' } = options;
  const roles = openRoleStore(join(dataDir, 'iam'));
  const tokens = createSessionTokens(sessionKey(join(dataDir, 'session-key')));
  const authenticate = createAuthenticator(createSigner(), tokens, now);
  const mayDo = createAccessCheck(roles);
  const faults = createFaults(options.random ?? Math.random);
  const log = createRequestLog();
  const stores = createStores(join(dataDir, 'dynamodb'), emulatorFor(options.emulator));
  const sts = createStsApi(createAssumeRole(roles, tokens, mayDo, now));
  const query = createQueryHandler([sts, createIamApi(roles, mayDo, now)], sts, authenticate, faults);
  const sizes = createTableSizes();
  const lags = createLaggingIndexes({
    folder: join(dataDir, 'lagging-indexes'),
    emulator: stores.emulator,
    rulesOf: faults.lags,
    now,
  });
  const staleCounts = createStaleCounts((arn) => {
    const [, accountId = '', tableName = ''] = /:(\d{12}):table\/(.*)$/.exec(arn) ?? [];
    return faults.hasStaleCounts(accountId, tableName);
  });
  const dynamo = createDynamoHandler({
    authenticate,
    mayDo,
    faults,
    log,
    stores,
    sizes,
    staleCounts,
    lags,
    now,
  });

  async function answer(
    incoming: IncomingMessage,
    { hungUp, unanswered }: Pick<WholeRequest, 'hungUp' | 'unanswered'>,
  ): Promise<Answer> {
    const { method = 'GET', url = '/', headers } = incoming;
    const target = headers['x-amz-target'];
    const isControl = url.startsWith('/_');
    const bytesMax = isControl
      ? CONTROL_REQUEST_BYTES_MAX
      : target === undefined
        ? QUERY_REQUEST_BYTES_MAX
        : DYNAMODB_REQUEST_BYTES_MAX;
    const body = await readBody(incoming, bytesMax);
    const control = isControl ? answerControl({ faults, log }, { method, url, body }) : undefined;
    if (control !== undefined) return control;
    const request = { method, url, headers, body, hungUp, unanswered };
    return typeof target === 'string' ? dynamo(target, request) : query(request);
  }

  const watchCaller = createCallerWatch();
  const server = createServer((incoming, outgoing) => {
    answer(incoming, watchCaller(incoming, outgoing)).then(
      (made) => send(outgoing, made, now()),
      (error: unknown) => send(outgoing, failure(error), now()),
    );
  });
  server.keepAliveTimeout = IDLE_MS_MAX;
  server.listen(options.port, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    await closed;
    clearTimeout(cut);
    await lags.close();
    await Promise.all([stores.close(), sizes.close()]);
  }

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    release: stores.release,
    close,
  };
}

function emulatorFor(asked: AwsEndpointOptions['emulator']) {
  const program = asked === 'dynalite' ? undefined : findDynoxide();
  if (program !== undefined) return dynoxide(program);
  if (asked === 'dynoxide')
    throw new Error(
      `There is no dynoxide for ${process.platform}-${process.arch}: leave emulator out, or use dynalite.`,
    );
  return dynalite;
}

/** The key that session tokens are sealed with; made once for a data directory. */
function sessionKey(path: string): Buffer {
  const stored = readIfPresent(path);
  if (stored !== undefined) return Buffer.from(stored, 'base64');
  const key = randomBytes(32);
  writeDurably(path, key.toString('base64'));
  return key;
}

function send(outgoing: ServerResponse, answer: Answer, nowMs: number): void {
  if (outgoing.destroyed) return;
  outgoing.sendDate = false;
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    date: new Date(nowMs).toUTCString(),
    'content-length': Buffer.byteLength(answer.body),
  });
  outgoing.end(answer.body);
}

/** What no part foresaw is answered as AWS answers its own faults, and says nothing of the cause. */
function failure(error: unknown): Answer {
  if (error instanceof AwsError && error.status === 413) return jsonAnswer(413, { message: error.message });
  return dynamoError(new AwsError('InternalServerError', 'Internal server error', 500), newRequestId());
}
