import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../../common/test/support/child-environment.ts';
import { operatorToken, startReplica } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';

const cli = join(import.meta.dirname, '../../src/admin/cli.ts');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('admin command line', function () {
  this.timeout(180_000);
  let dynamo: TestDynamo;
  let replica: TestReplica;
  let dataDir: string;
  let environment: Record<string, string>;

  function run(args: string[], env = environment): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { env: { ...CHILD_ENVIRONMENT, ...env }, timeout: 20_000, cwd: dataDir };
      execFile(process.execPath, [cli, ...args], options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
        resolve({ code, stdout, stderr });
      });
    });
  }
  async function json(...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  before(async () => {
    dynamo = await startTestDynamo();
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-admin-'));
    const clock = movableClock();
    replica = await startReplica({
      table: await dynamo.table(clock),
      clock,
      keyEncryptionKeys: [randomBytes(32)],
    });
    environment = { PENSTOCK_AUTH_TARGET: replica.target, PENSTOCK_OPERATOR_TOKEN: operatorToken };
  });
  after(async () => {
    await replica.close();
    await dynamo.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('creates a tenant, a client that gets a token, and a user, and prints exactly what was promised', async () => {
    const tenant = await json('tenant', 'create', '--name', 'Acme');
    expect(Object.keys(tenant)).to.deep.equal(['tenantId']);
    const tenantId = String(tenant['tenantId']);

    const client = await json(
      'client',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'app',
      '--scopes',
      'query usage:read',
    );
    expect(Object.keys(client)).to.deep.equal(['clientId', 'clientSecret']);
    const credentials = {
      clientId: String(client['clientId']),
      clientSecret: String(client['clientSecret']),
    };
    expect((await replica.tokens.issueToken(credentials)).accessToken).to.be.a('string');

    const rotated = await json('client', 'rotate-secret', '--client', credentials.clientId);
    expect(rotated)
      .to.have.all.keys('clientId', 'clientSecret')
      .and.include({ clientId: credentials.clientId });
    expect(rotated['clientSecret']).not.to.equal(credentials.clientSecret);

    const disabled = await json('client', 'disable', '--client', credentials.clientId);
    expect(disabled).to.include({ clientId: credentials.clientId, status: 'disabled' });
    const { clients } = await json('client', 'list', '--tenant', tenantId);
    expect(clients).to.deep.equal([disabled]);
    const enabled = await json('client', 'enable', '--client', credentials.clientId);
    expect(enabled).to.deep.equal({ ...disabled, status: 'active' });

    const user = await json(
      'user',
      'create',
      '--tenant',
      tenantId,
      '--email',
      'a@b.example',
      '--role',
      'admin',
    );
    expect(Object.keys(user)).to.deep.equal(['userId', 'totpSecret', 'otpauthUrl', 'enrollUrl']);
    const gone = await json('user', 'disable', '--user', String(user['userId']));
    expect(gone).to.include({ userId: user['userId'], status: 'disabled' });
    expect((await json('user', 'list', '--tenant', tenantId))['users']).to.deep.equal([gone]);
    const back = await json('user', 'enable', '--user', String(user['userId']));
    expect(back).to.deep.equal({ ...gone, status: 'active' });
    const again = await json(
      'user',
      're-enroll',
      '--user',
      String(user['userId']),
      '--password',
      'a new password',
    );
    expect(Object.keys(again)).to.deep.equal(['userId', 'enrollUrl']);
    expect(again['userId']).to.equal(user['userId']);
    expect(again['enrollUrl']).to.include('/enroll?token=pst_en_').and.not.equal(user['enrollUrl']);

    const limited = await json('tenant', 'set-limits', '--tenant', tenantId, '--rps', '5', '--burst', '10');
    expect(limited).to.include({ rateLimitRps: 5, rateLimitBurst: 10 });
    expect((await json('tenant', 'list'))['tenants']).to.deep.equal([limited]);
    const keys = async () => (await json('key', 'list'))['keys'] as Record<string, string>[];
    const states = async () => (await keys()).map(({ keyId, state }) => [keyId, state]);
    const [[current], [next]] = (await states()) as [[string, string], [string, string]];
    expect(await states()).to.deep.equal([
      [current, 'current'],
      [next, 'next'],
    ]);
    expect(await json('key', 'rotate')).to.deep.equal({ keyId: next });
    expect((await states()).slice(0, 2)).to.deep.equal([
      [current, 'retired'],
      [next, 'current'],
    ]);
    const reencrypted = await json('key', 're-encrypt');
    expect(reencrypted['keyId']).to.match(/^[0-9a-f]{16}$/);
    expect({ ...reencrypted, keyId: '' }).to.deep.equal({
      keyId: '',
      signingKeys: 0,
      totpSecrets: 0,
      unreadable: 0,
      stillInUse: [],
    });
    expect(Object.keys((await keys())[0]!)).to.have.members(['keyId', 'state', 'createdAt', 'retiredAt']);
  });

  it('finds the embedded stack by the file in its data directory', async () => {
    const stack = { authTarget: replica.target, operatorToken };
    await writeFile(join(dataDir, 'stack.json'), JSON.stringify(stack));
    const { code, stdout } = await run(['tenant', 'list'], { PENSTOCK_DATA_DIR: dataDir });
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.have.property('tenants');
  });

  it('says where it looked when no stack is known', async () => {
    const { code, stdout, stderr } = await run(['tenant', 'list'], {
      PENSTOCK_DATA_DIR: join(dataDir, 'none'),
    });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('stack.json').and.include('PENSTOCK_AUTH_TARGET');
  });

  it('prints what failed as one line and exits 1', async () => {
    const wrongToken = { ...environment, PENSTOCK_OPERATOR_TOKEN: 'pop_wrong' };
    const away = { ...environment, PENSTOCK_AUTH_TARGET: 'ipv4:127.0.0.1:1' };
    const outcomes = [
      [await run(['client', 'disable', '--client', 'nobody']), 'Client not found: nobody'],
      [await run(['tenant', 'list'], wrongToken), 'Unauthorized'],
      [await run(['tenant', 'list'], away), 'not available'],
    ] as const;
    for (const [{ code, stdout, stderr }, text] of outcomes) {
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.include(text);
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
  });

  it('sets, shows and removes budgets, and refuses those of nobody by name', async () => {
    const { tenantId } = await json('tenant', 'create', '--name', 'Budgeted');
    const budget = { tenantId, unitsPerDay: 12.5, unitsPerMonth: 0 };
    const ofTenant = ['--tenant', String(tenantId)] as const;
    expect(await json('budget', 'set', ...ofTenant, '--day', '12.5', '--month', '0')).to.deep.equal(budget);
    expect(await json('budget', 'show', ...ofTenant)).to.deep.equal({ budgets: [budget], setByTenant: [] });
    expect(await json('budget', 'remove', ...ofTenant)).to.deep.equal({ tenantId, removed: true });
    expect(await json('budget', 'show', ...ofTenant)).to.deep.equal({ budgets: [], setByTenant: [] });
    const nobodys = await run(['budget', 'set', '--tenant', 'tnt_nobody', '--day', '1']);
    expect(nobodys).to.include({ code: 1, stdout: '' });
    expect(nobodys.stderr).to.include('There is no tenant tnt_nobody');
  });

  for (const [args, text] of [
    [[], 'missing'],
    [['nonsense'], 'Unknown noun: nonsense'],
    [['tenant', 'destroy'], 'Unknown verb: tenant destroy'],
    [['constructor', 'name'], 'Unknown noun: constructor'],
    [['tenant', 'create', '--nme', 'x'], '--nme'],
    [['tenant', 'create'], '--name is missing'],
    [['tenant', 'set-limits', '--tenant', 't', '--rps', 'many'], '--rps must be a whole number'],
    [['budget', 'set', '--tenant', 't'], 'Give --day, --month or both'],
    [['budget', 'set', '--tenant', 't', '--day', '0.3'], '--day must be read units'],
    [['budget', 'set', '--tenant', 't', '--month', '-1'], '--month'],
  ] as const) {
    it(`explains its usage and exits 2 for: ${args.join(' ') || '(nothing)'}`, async () => {
      const { code, stdout, stderr } = await run([...args]);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr.split('\n')[0]).to.include(text);
      expect(stderr).to.include('Usage:').and.include('client rotate-secret --client C');
    });
  }
});
