/** Requests that were answered with a 5xx once. Each is answered by what is wrong with it now, and no process logs an error. */
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { http } from '../e2e/support/http.ts';
import { seedShop } from '../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../e2e/support/tenant.ts';
import { mcpToken, post, toolCall } from '../mcp/support/mcp.ts';
import { watchErrorLines, type ErrorLines } from './support/error-lines.ts';

const WIDE = '\u{1d50a}';

describe('requests that were answered with a 5xx once', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let token: string;
  let errors: ErrorLines;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await seedShop(account);
    await registerSchema(stack, tenant, account, { schemaName: 'shop', tableAllowlist: ['customers'] });
    await tenant.query('SELECT * FROM shop.customers');
    token = await mcpToken(stack, tenant.credentials);
    errors = await watchErrorLines(stack);
  });
  after(() => account.close());

  /** A test at whose end no process has logged an error. */
  const quietly = (title: string, body: () => Promise<void>): void => {
    it(title, async () => {
      await body();
      expect(await errors.take()).to.deep.equal([]);
    });
  };

  const deep = (depth: number, inner = ''): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

  describe('statements', () => {
    const parseErrors: Readonly<Record<string, string>> = {
      'NUL in a name': 'SELECT "na\0me" FROM shop.customers',
      'NUL in a literal': "SELECT 'a\0b' FROM shop.customers",
      'NUL in a comment': 'SELECT name /* \0 */ FROM shop.customers',
      'NUL in a comment to the end of the line': 'SELECT name -- \0\nFROM shop.customers',
      'NUL between words': 'SELECT name \0 FROM shop.customers',
      'NUL in a text between dollars': 'SELECT $$a\0b$$ FROM shop.customers',
    };
    for (const [what, sql] of Object.entries(parseErrors)) {
      quietly(`${what}: 400 with its place`, async () => {
        const answer = await tenant.query(sql);
        expect(answer.status, answer.text).to.equal(400);
        expect(answer.body.error).to.match(/^Parse error: a NUL character/);
        expect(answer.body.detailedError).to.match(/^Parse error at line 1, column \d+: /);
      });
    }

    quietly('takes U+000B and U+000C for spaces', async () => {
      const answer = await tenant.query("SELECT\u000bname\u000cFROM shop.customers WHERE\u000bid = 'c1'");
      expect(answer.body.data?.data, answer.text).to.deep.equal([['Ada m']]);
    });

    const refused: Readonly<Record<string, string>> = {
      '1,001 subscripts': `SELECT address${'[0]'.repeat(1_001)} FROM shop.customers`,
      '1,001 fields': `SELECT address${'.a'.repeat(1_001)} FROM shop.customers`,
      'a name of 15,000 characters': `SELECT ${'n'.repeat(15_000)} FROM shop.customers`,
      'a quoted name of 15,000 wide characters': `SELECT c."${WIDE.repeat(15_000)}".x.y(1) FROM shop.customers c`,
      'a table name of 15,000 characters': `SELECT 1 FROM shop.${'n'.repeat(15_000)}`,
      'a function name of 15,000 characters': `SELECT ${'n'.repeat(15_000)}(1) FROM shop.customers`,
      'a schema name of 3,000 wide characters': `SELECT 1 FROM "${WIDE.repeat(3_000)}".customers`,
      'a table name of 3,000 wide characters': `SELECT 1 FROM shop."${WIDE.repeat(3_000)}"`,
    };
    for (const [what, sql] of Object.entries(refused)) {
      for (const mode of ['execute', 'plan']) {
        quietly(`${what} (${mode}): refused with a reason`, async () => {
          const answer = await tenant.query(sql, {}, mode);
          expect(answer.status, answer.text).to.be.oneOf([200, 400]);
          expect(answer.body).to.include({ success: false });
          expect(answer.body.error).not.to.match(/internal|not available/i);
          expect(Buffer.byteLength(answer.text)).to.be.below(8_192);
        });
      }
    }

    quietly('120,000 parameters: refused with a reason', async () => {
      const answer = await tenant.query('SELECT 1 FROM shop.customers', {
        parameters: Array.from({ length: 120_000 }, () => 1),
      });
      expect(answer.status, answer.text.slice(0, 500)).to.be.oneOf([200, 400]);
      expect(answer.body.error).to.match(/parameters/);
    });

    quietly('a parameter named by 100,000 characters: refused with a reason', async () => {
      const answer = await tenant.query('SELECT :a FROM shop.customers', {
        parameters: { ['n'.repeat(100_000)]: 1 },
      });
      expect(answer.status, answer.text.slice(0, 500)).to.be.oneOf([200, 400]);
      expect(Buffer.byteLength(answer.text)).to.be.below(8_192);
    });
  });

  describe('depth', () => {
    const halfPair = '"\\ud800"';
    /** Small enough for /register. */
    const LEVELS = 30_000;
    const bodies: Readonly<Record<string, string>> = {
      'half a surrogate pair before the arrays': `{"a":${halfPair},"b":${deep(LEVELS)}}`,
      'half a surrogate pair in the innermost array': deep(LEVELS, halfPair),
      'half a surrogate pair behind the arrays': `{"b":${deep(LEVELS)},"a":${halfPair}}`,
      'a surrogate pair in the innermost array': deep(LEVELS, '"\\ud835\\udd0a"'),
      'arrays alone': deep(LEVELS),
      objects: `${'{"a":'.repeat(LEVELS / 3)}1${'}'.repeat(LEVELS / 3)}`,
    };
    const paths = ['/v1/auth/token', '/v1/auth/refresh', '/v1/query', '/v1/schemas', '/register'];
    for (const [what, raw] of Object.entries(bodies)) {
      quietly(`${what}: 400 everywhere`, async () => {
        for (const path of paths) {
          const answer = await http('POST', `${stack.baseUrl}${path}`, { raw, token: tenant.token });
          expect(answer.status, `${path} ${answer.text}`).to.equal(400);
        }
        const answer = await post(stack, token, undefined, { raw });
        expect(answer.status, answer.text).to.equal(400);
      });
    }

    quietly('100,000 arrays: 400', async () => {
      for (const path of ['/v1/auth/token', '/v1/query', '/v1/schemas', '/mcp']) {
        const raw = deep(100_000);
        const bearer = path === '/mcp' ? token : tenant.token;
        const answer = await http('POST', `${stack.baseUrl}${path}`, { raw, token: bearer });
        expect(answer.status, `${path} ${answer.text}`).to.equal(400);
      }
    });

    quietly('60,000 arrays within a tool call: 400', async () => {
      const raw = JSON.stringify(toolCall('run_sql')).replace(
        '"arguments":{}',
        () => `"arguments":{"sql":${deep(60_000)}}`,
      );
      const answer = await post(stack, token, undefined, { raw });
      expect(answer.status, answer.text).to.equal(400);
    });
  });

  describe('sign-in', () => {
    for (const length of [2_030, 2_040, 2_048]) {
      for (const clientId of ['c'.repeat(length), `https://example.com/${'c'.repeat(length - 20)}`]) {
        quietly(`a client_id of ${length} characters (${clientId.slice(0, 5)}…): refused`, async () => {
          const asked = await fetch(
            `${stack.mcpUrl}/authorize?response_type=code&client_id=${encodeURIComponent(clientId)}`,
          );
          expect(asked.status, await asked.text()).to.equal(400);
          for (const grant of ['client_credentials', 'refresh_token', 'authorization_code']) {
            const given = {
              grant_type: grant,
              client_id: clientId,
              client_secret: 's',
              refresh_token: 'r',
              code: 'c',
            };
            const answer = await fetch(`${stack.mcpUrl}/token`, {
              method: 'POST',
              body: new URLSearchParams(given),
            });
            expect(answer.status, await answer.text()).to.be.oneOf([400, 401]);
          }
          const revoked = await fetch(`${stack.mcpUrl}/revoke`, {
            method: 'POST',
            body: new URLSearchParams({ client_id: clientId, token: 't' }),
          });
          expect(revoked.status, await revoked.text()).to.be.oneOf([200, 400, 401]);
        });
      }
    }
  });

  describe('lists', () => {
    const forged = [
      'null',
      '{}',
      '[1]',
      '1',
      '"x"',
      '[]',
      '[{}]',
      '["shop",1]',
      `["${'s'.repeat(3_000)}","t"]`,
    ];
    for (const position of forged) {
      quietly(`a cursor with ${position.slice(0, 20)} in it and the right check value: 400`, async () => {
        const rest = forgedCursor('schemas', tenant.tenantId, position);
        const answer = await tenant.call('GET', `/v1/schemas?nextToken=${rest}`);
        expect(answer.status, answer.text).to.equal(400);
        const cursor = forgedCursor('tables', tenant.tenantId, position);
        const called = await post(stack, token, toolCall('list_tables', { cursor }));
        expect(called.text).to.contain('VALIDATION_ERROR');
      });
    }
  });

  describe('schemas', () => {
    quietly('a region of 3,000 letters: 400', async () => {
      const json = {
        schemaName: 'far',
        region: `eu-${'a'.repeat(3_000)}-1`,
        accountId: '123456789012',
        roleArn: 'arn:aws:iam::123456789012:role/r',
        externalId: 'external',
      };
      const created = await tenant.call('POST', '/v1/schemas', { json });
      expect(created.status, created.text).to.equal(400);
      const changed = await tenant.call('PATCH', '/v1/schemas/shop', { json: { region: json.region } });
      expect(changed.status, changed.text).to.equal(400);
    });
  });

  describe('hosts', () => {
    for (const host of [
      'evil@localhost',
      'localhost:99999999',
      '[::1',
      'a b',
      '%',
      'localhost/x',
      '@',
      'a@b:c@d',
    ]) {
      quietly(`Host: ${host} at /mcp: refused`, async () => {
        for (const path of ['/mcp', '/v1/schemas', '/authorize', '/.well-known/oauth-protected-resource']) {
          const status = await statusFor(stack, path, host, token);
          expect(status, path).to.be.within(200, 499);
          if (path === '/mcp') expect(status).to.be.oneOf([400, 403]);
        }
      });
    }
  });
});

/** As the registry makes it, of any position: its check value needs no secret. */
function forgedCursor(kind: string, tenantId: string, position: string): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, tenantId, position]));
  return Buffer.from(hash.digest('base64url').slice(0, 16) + position).toString('base64url');
}

/** The status of a request whose Host no client would send. */
function statusFor(stack: RunningStack, path: string, host: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      `${stack.mcpUrl}${path}`,
      {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    call.once('error', reject);
    call.end(path === '/mcp' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) : undefined);
  });
}
