import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { STORE_KEYS } from '../../../schema-registry/src/store/stored-item.ts';
import * as engine from '../../../query-engine/src/limits.ts';
import { KEEP_FAILED, JOB_ATTEMPTS_MAX } from '../../src/queue/limits.ts';
import { QUEUE_NAMES } from '../../src/queue/names.ts';
import { USAGE_DEAD_LETTERS } from '../../src/queue/usage-dead-letters.ts';
import { CONNECTION_AGE_MS_MAX, RECONNECT_BACKOFF_MS } from '../../src/rpc/limits.ts';
import { TOKEN_KINDS } from '../../src/token/claims.ts';
import { page, ROOT, sources } from './support/pages.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string;
}

/** The policy whose name stands before it, `penstock-auth` for one. */
function policy(name: string): readonly Statement[] {
  const [, json = ''] = page('deploy/helm/README.md').split(`\`${name}\`:\n\n\`\`\`json\n`);
  return (JSON.parse(json.split('```', 1)[0] ?? '') as { Statement: Statement[] }).Statement;
}

/** What a service sends to its own table, and what every service does at its start. */
function actionsOf(folder: string): readonly string[] {
  const text = sources(folder).join('\n');
  const sent = [...text.matchAll(/\bnew (\w+)Command\(/g)].map(([, operation]) => `dynamodb:${operation}`);
  return [...new Set(['dynamodb:DescribeTable', ...sent])].sort();
}

const ASSUME = [
  { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: 'arn:aws:iam::*:role/*' },
  { Effect: 'Deny', Action: 'sts:AssumeRole', Resource: 'arn:aws:iam::000000000000:role/*' },
];

describe('what operators are told', () => {
  for (const [role, folder, table] of [
    ['penstock-auth', 'services/auth/src/store', 'penstock-auth'],
    ['penstock-schemas', 'services/schema-registry/src/store', 'penstock-schemas'],
    ['penstock-usage', 'services/usage-metering/src/store', 'penstock-usage'],
  ] as const) {
    it(`lets ${role} do what the code does, and nothing else`, () => {
      const [tables, ...rest] = policy(role);
      expect(tables?.Action).to.deep.equal(actionsOf(folder));
      expect(tables?.Resource).to.match(new RegExp(`:000000000000:table/${table}$`));
      expect(rest).to.deep.equal(role === 'penstock-schemas' ? ASSUME : []);
      const told = page('deploy/README.md');
      for (const action of tables?.Action ?? [])
        expect(told).to.include(`\`${action.slice('dynamodb:'.length)}\``);
    });
  }

  it('lets engines assume the roles of customers, and none of the service’s own account', () => {
    expect(policy('penstock-engine')).to.deep.equal(ASSUME);
  });

  it('says how long services take a token of somebody who was revoked', () => {
    const told = page('deploy/security.md').replaceAll(/\s+/g, ' ');
    const { rest, mcp, console } = TOKEN_KINDS;
    expect(told).to.include(`a REST token for ${rest.lifetimeS} s at most`);
    expect(told).to.include(`the internal token of an MCP call for ${mcp.lifetimeS} s`);
    expect(told).to.include(`that of a session of the console for ${console.lifetimeS} s`);
    // Who looks for revocation at all: auth, and the gateway, which refuses by auth's list.
    const services = ['query-engine', 'schema-registry', 'usage-metering'];
    for (const service of services)
      expect(sources(`services/${service}/src`).join('\n'), service).to.not.match(/revo(ked|cation)/i);
    expect(sources('gateway/src').join('\n')).to.match(/listRevocations/);
  });

  it('has the tables’ keys as the code has them', () => {
    const text = page('deploy/README.md').replaceAll(/ +\|/g, ' |');
    const row = (name: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`))
        ?.split('|')
        .slice(2, 5)
        .map((cell) => cell.replaceAll(/[` ]/g, ''));
    const { partitionKey, sortKey, ttlAttribute } = STORE_KEYS;
    expect(row('penstock-schemas')).to.deep.equal([partitionKey, sortKey, ttlAttribute]);
    for (const [table, file] of [
      ['penstock-auth', 'services/auth/src/store/open.ts'],
      ['penstock-usage', 'services/usage-metering/src/store/open.ts'],
    ] as const) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const named = (key: string) => new RegExp(`${key}: '(\\w+)'`).exec(source)?.[1] ?? '';
      expect(row(table)).to.deep.equal(['partitionKey', 'sortKey', 'ttlAttribute'].map(named));
    }
  });

  it('has the figures of the code', () => {
    const cells = (path: string) => page(path).replaceAll(/ +\|/g, ' |');
    const scaling = cells('deploy/operations/scaling.md');
    for (const [name, value] of [
      ['PENSTOCK_QUERY_CONCURRENCY', engine.CONCURRENT_QUERIES],
      ['PENSTOCK_QUERY_SHORT_CONCURRENCY', engine.CONCURRENT_SHORT_QUERIES],
      ['PENSTOCK_QUERY_TENANT_SHARE', engine.TENANT_SHARE_PERCENT],
      ['PENSTOCK_QUERY_QUEUE', engine.WAITING_QUERIES],
    ] as const) {
      expect(scaling).to.include(`| \`${name}\` | ${value} |`);
    }
    expect(scaling).to.include(`more than ${engine.SHORT_QUERY_UNITS_MAX} units`);
    expect(scaling).to.include(`Servers end connections after ${CONNECTION_AGE_MS_MAX / 1000} s`);
    // A tenth more by jitter, then a look-up, which may have to wait after the last one.
    const foundMs = 1.1 * CONNECTION_AGE_MS_MAX + RECONNECT_BACKOFF_MS.max;
    expect(scaling).to.include(
      `a new engine has its share within ${Math.ceil(foundMs / 5_000) * 5} s of being in DNS`,
    );
    expect(foundMs).to.be.below(15_000);
    const incidents = cells('deploy/operations/incidents.md');
    expect(incidents).to.include(`kept for ${KEEP_FAILED.age / 86_400} days`);
    expect([JOB_ATTEMPTS_MAX, 'tried five times']).to.deep.equal([5, 'tried five times']);
    expect(incidents).to.include('tried five times');
    for (const queue of [...Object.values(QUEUE_NAMES), USAGE_DEAD_LETTERS]) {
      expect(incidents).to.include(`| \`${queue}\` |`);
    }
  });

  it('explains every panel of the dashboard, in its order', () => {
    const file = join(ROOT, 'deploy/observability/grafana/dashboards/penstock.json');
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
      panels: readonly { readonly type: string; readonly title: string }[];
    };
    const told = [
      ...page('deploy/operations/dashboard.md').matchAll(/^\|([^|]*)\|([^|]*)\|[^|]*\|[^|]*\|$/gm),
    ]
      .slice(2)
      .flatMap(([, row = '', panel = '']) => [row.trim(), panel.trim()])
      .filter((cell) => cell !== '');
    expect(told).to.deep.equal(panels.map(({ title }) => title));
  });

  it('names only alerts that there are', () => {
    const rules = readFileSync(join(ROOT, 'deploy/observability/prometheus/rules.yml'), 'utf8');
    const named = ['incidents', 'scaling', 'upgrading', 'dashboard'].flatMap(
      (name) => page(`deploy/operations/${name}.md`).match(/\bPenstock[A-Z]\w+/g) ?? [],
    );
    expect(named.length).to.be.greaterThan(5);
    for (const alert of named) expect(rules).to.include(`- alert: ${alert}\n`);
  });
});
