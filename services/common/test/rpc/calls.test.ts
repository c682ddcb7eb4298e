import { expect } from 'chai';
import { Code, ConnectError } from '@connectrpc/connect';
import { ERROR_CODES, type ErrorCode } from '../../src/errors/codes.ts';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { AdminService } from '../../src/gen/penstock/auth/v1/admin_pb.js';
import { TokenService } from '../../src/gen/penstock/auth/v1/token_pb.js';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { principalOf, requestIdOf, tokenOf, usageIdOf } from '../../src/rpc/call-context.ts';
import { callOptions } from '../../src/rpc/client.ts';
import { fromConnectError } from '../../src/rpc/error-mapping.ts';
import { until, untilSome } from '../support/until.ts';
import { createHarness, rejection, type Harness } from './harness.ts';

describe('RPC calls', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await createHarness();
  });
  afterEach(() => harness.close());

  it('hand principal, token, request ID and usage ID to the handler', async () => {
    let seen: unknown;
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: (_, context) => {
          const { tenantId, scopes } = principalOf(context);
          seen = [tenantId, scopes, requestIdOf(context), tokenOf(context), usageIdOf(context)];
          return {};
        },
      }),
    );
    const token = await harness.signer.sign();
    const client = harness.connect(SchemaService, [server]);
    await client.getSchema({ schemaName: 's' }, callOptions({ token, requestId: 'req-1', usageId: 'use-1' }));
    expect(seen).to.deep.equal(['tenant-1', ['query', 'schemas:read'], 'req-1', token, 'use-1']);
    const line = harness.lines.find(({ msg }) => msg === 'rpc');
    expect(line).to.include({
      requestId: 'req-1',
      tenantId: 'tenant-1',
      principalId: 'client-1',
      code: 'Ok',
    });
    expect(JSON.stringify(harness.lines)).not.to.contain(token);
  });

  it('are refused without a token, with a bad one, and with the operator token of another service', async () => {
    const server = await harness.serve(
      (router) =>
        router
          .service(SchemaService, { getSchema: () => ({}) })
          .service(AdminService, { listTenants: () => ({}) }),
      { operatorToken: 'operator', operatorServices: [AdminService.typeName] },
    );
    const schemas = harness.connect(SchemaService, [server]);
    const admin = harness.connect(AdminService, [server]);
    const code = async (promise: Promise<unknown>): Promise<ErrorCode | 'ok'> => {
      const failure = await promise.then(
        () => null,
        (error: unknown) => fromConnectError(error),
      );
      return failure?.code ?? 'ok';
    };
    const as = (token: string | null) => callOptions({ token, requestId: 'r' });
    const token = await harness.signer.sign();
    expect(await code(schemas.getSchema({ schemaName: 's' }, as(null)))).to.equal('UNAUTHORIZED');
    expect(await code(schemas.getSchema({ schemaName: 's' }, as('junk')))).to.equal('UNAUTHORIZED');
    expect(await code(schemas.getSchema({ schemaName: 's' }, as('operator')))).to.equal('UNAUTHORIZED');
    expect(await code(schemas.getSchema({ schemaName: 's' }, as(token)))).to.equal('ok');
    expect(await code(admin.listTenants({}, as(token)))).to.equal('UNAUTHORIZED');
    expect(await code(admin.listTenants({}, as(null)))).to.equal('UNAUTHORIZED');
    expect(await code(admin.listTenants({}, as('operator')))).to.equal('ok');
  });

  it('need no token at a public service', async () => {
    const server = await harness.serve(
      (router) => router.service(TokenService, { getKeySet: () => ({ jwksJson: '{}' }) }),
      { verifier: null, publicServices: [TokenService.typeName] },
    );
    const client = harness.connect(TokenService, [server]);
    expect((await client.getKeySet({})).jwksJson).to.equal('{}');
  });

  it('are refused by a server without a verifier', async () => {
    const server = await harness.serve((router) => router.service(SchemaService, { getSchema: () => ({}) }), {
      verifier: null,
    });
    const client = harness.connect(SchemaService, [server]);
    const token = await harness.signer.sign();
    const error = await rejection(
      client.getSchema({ schemaName: 's' }, callOptions({ token, requestId: 'r' })),
    );
    expect(fromConnectError(error).code).to.equal('UNAUTHORIZED');
  });

  it('carry every error code with message, detail and retry time', async () => {
    let thrown = new PenstockError('INTERNAL', '');
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        deleteSchema: () => {
          throw thrown;
        },
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      thrown = new PenstockError(code, `what: ${code} — “é”`, { detail: 'line 1\n  ^', retryAfterS: 2.5 });
      const error = await rejection(client.deleteSchema({ schemaName: 's' }, opts));
      expect(ConnectError.from(error).code, code).to.equal(ERROR_CODES[code].grpc);
      const { message, detail, retryAfterS, code: got } = fromConnectError(error);
      expect({ code: got, message, detail, retryAfterS }).to.deep.equal({
        code,
        message: `what: ${code} — “é”`,
        detail: 'line 1\n  ^',
        retryAfterS: 2.5,
      });
    }
  });

  it('carry errors that quote texts of any length, cut to what a trailer holds', async () => {
    let quoted = '';
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => {
          throw new PenstockError('COLUMN_NOT_FOUND', `Column not found: ${quoted}`, { detail: quoted });
        },
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
    for (const character of ['a', '%', '\n', '€', '\u{1d50a}']) {
      quoted = character.repeat(60_000);
      const { code, message } = fromConnectError(
        await rejection(client.getSchema({ schemaName: 's' }, opts)),
      );
      expect({ code, message: message.slice(0, 19) }).to.deep.equal({
        code: 'COLUMN_NOT_FOUND',
        message: `Column not found: ${character.slice(0, 1)}`,
      });
    }
  });

  it('show nothing of an unexpected error, and log it with its cause', async () => {
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => {
          throw new Error('secret at arn:aws:iam::123456789012:role/x', { cause: new Error('deep') });
        },
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'r-9' });
    const error = await rejection(client.getSchema({ schemaName: 's' }, opts));
    expect(ConnectError.from(error).rawMessage).to.equal('Internal error');
    expect(fromConnectError(error)).to.include({ code: 'INTERNAL', message: 'Internal error' });
    const logged = harness.lines.find(({ level }) => level === 'error');
    expect(logged).to.include({ requestId: 'r-9' });
    expect(logged?.err).to.nested.include({ 'cause.message': 'deep', message: 'secret at [arn]' });
  });

  it('are refused with the name of the field that breaks a rule', async () => {
    const server = await harness.serve((router) => router.service(SchemaService, { getSchema: () => ({}) }));
    const client = harness.connect(SchemaService, [server]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
    const error = fromConnectError(await rejection(client.getSchema({ schemaName: '' }, opts)));
    expect(error.code).to.equal('VALIDATION_ERROR');
    expect(error.message).to.match(/^schema_name: /);
  });

  it('pass on the error of another service that the handler called', async () => {
    const inner = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => {
          throw new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: x');
        },
      }),
    );
    const innerClient = harness.connect(SchemaService, [inner]);
    const outer = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: (request, context) =>
          innerClient.getSchema(
            { schemaName: request.schemaName },
            callOptions({ token: tokenOf(context), requestId: requestIdOf(context), signal: context.signal }),
          ),
      }),
    );
    const client = harness.connect(SchemaService, [outer]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'both' });
    const error = fromConnectError(await rejection(client.getSchema({ schemaName: 'x' }, opts)));
    expect(error).to.include({ code: 'SCHEMA_NOT_FOUND', message: 'Schema not found: x' });
    expect(
      harness.lines.filter(({ requestId, msg }) => requestId === 'both' && msg === 'rpc'),
    ).to.have.length(2);
  });

  it('end at their deadline on both sides', async () => {
    let reason: unknown;
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => {
              reason = context.signal.reason;
              reject(context.signal.reason as Error);
            });
          }),
      }),
    );
    const client = harness.connect(SchemaService, [server], 150);
    const token = await harness.signer.sign();
    const start = performance.now();
    const error = await rejection(
      client.getSchema({ schemaName: 's' }, callOptions({ token, requestId: 'r' })),
    );
    expect(performance.now() - start).to.be.within(100, 2_000);
    expect(fromConnectError(error)).to.include({
      code: 'TIMEOUT',
      message: 'The schema service did not answer in time; try again',
    });
    await until(() => reason !== undefined);
    expect(ConnectError.from(reason).code).to.be.oneOf([Code.DeadlineExceeded, Code.Canceled]);
  });

  it('say which service was late, whichever side sees the deadline first', async () => {
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => Promise.reject(new ConnectError('late', Code.DeadlineExceeded)),
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const token = await harness.signer.sign();
    const error = await rejection(
      client.getSchema({ schemaName: 's' }, callOptions({ token, requestId: 'r' })),
    );
    expect(fromConnectError(error)).to.include({
      code: 'TIMEOUT',
      message: 'The schema service did not answer in time; try again',
    });
  });

  it('that the caller cancels are seen by the handler within moments', async () => {
    let abortedAt = 0;
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => {
              abortedAt = performance.now();
              reject(context.signal.reason as Error);
            });
            started();
          }),
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const controller = new AbortController();
    const opts = callOptions({
      token: await harness.signer.sign(),
      requestId: 'c',
      signal: controller.signal,
    });
    const outcome = rejection(client.getSchema({ schemaName: 's' }, opts));
    await running;
    const cancelledAt = performance.now();
    controller.abort();
    expect(fromConnectError(await outcome).code).to.equal('CANCELLED');
    await until(() => abortedAt > 0, { what: 'the handler hears of it' });
    expect(abortedAt - cancelledAt).to.be.within(0, 500);
    const line = () => harness.lines.find(({ requestId, msg }) => requestId === 'c' && msg === 'rpc');
    expect(await untilSome(line, { what: 'the call is logged' })).to.include({ code: 'Canceled' });
  });

  it('that were cancelled before they began never reach the server', async () => {
    let calls = 0;
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => {
          calls += 1;
          return {};
        },
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const token = await harness.signer.sign();
    const opts = callOptions({ token, requestId: 'c', signal: AbortSignal.abort() });
    expect(fromConnectError(await rejection(client.getSchema({ schemaName: 's' }, opts))).code).to.equal(
      'CANCELLED',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).to.equal(0);
  });

  it('answer Unimplemented as an internal error to the caller', async () => {
    const server = await harness.serve((router) => router.service(SchemaService, {}));
    const client = harness.connect(SchemaService, [server]);
    const opts = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
    expect(fromConnectError(await rejection(client.getSchema({ schemaName: 's' }, opts))).code).to.equal(
      'INTERNAL',
    );
  });
});
