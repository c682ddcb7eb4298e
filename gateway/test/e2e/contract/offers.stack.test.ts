/** A statement of another system, over REST and as an agent sends it: the error says what to send instead. */
import { expect } from 'chai';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http } from '../support/http.ts';
import { newShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';

const MYSQL = "SELECT `name` FROM shop.customers WHERE `id` = 'c1' LIMIT 0, 5";
const OFFER = /^this is MySQL, [^;]*; here: (.*)$/m;
const HERE = `SELECT "name" FROM shop.customers WHERE "id" = 'c1' LIMIT 5 OFFSET 0`;

interface ToolAnswer {
  readonly result: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
}

describe('contract: statements of other systems', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack));
  });
  after(() => account.close());

  it('come back over REST in ours, and run so', async () => {
    const { status, body } = await tenant.query(MYSQL);
    expect([status, body.error]).to.deep.equal([400, "Parse error: unexpected '`'"]);
    expect(body.detailedError).to.match(/^Parse error at line 1, column 8: /);
    const here = OFFER.exec(body.detailedError ?? '')?.[1] ?? '';
    expect(here).to.equal(HERE);
    expect((await tenant.query(here)).body.data?.data).to.deep.equal([['Ada m']]);
  });

  it('come back from run_sql in ours', async () => {
    const { clientId, clientSecret } = tenant.credentials;
    const granted = await http<{ access_token: string }>('POST', `${stack.mcpUrl}/token`, {
      raw: 'grant_type=client_credentials',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
    });
    const { text: events } = await http('POST', `${stack.mcpUrl}/mcp`, {
      token: granted.body.access_token,
      headers: { accept: 'application/json, text/event-stream' },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'run_sql', arguments: { sql: MYSQL } },
      },
    });
    // One event, whose data is the answer.
    const { result } = JSON.parse(/\{.*\}/.exec(events)?.[0] ?? '{}') as ToolAnswer;
    expect(result.isError, events).to.equal(true);
    const text = result.content.map((part) => part.text).join('\n');
    expect(OFFER.exec(text)?.[1]).to.equal(HERE);
  });
});
