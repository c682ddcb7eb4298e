import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { partitionOf as sdkPartitionOf } from '@penstock/common/aws/partition.ts';
import { carriesAnotherTenant } from '@penstock/common/aws/external-id.ts';
import { expect } from 'chai';
import {
  readTemplate,
  resourceProperties,
  type Values,
} from '../../../../deploy/local/test/customer-role/support/cloudformation.ts';
import {
  createCommands,
  mendPermissionsCommands,
  mendTrustCommands,
} from '../../../src/console/web/pages/connect/role/aws-cli.ts';
import {
  deployCommands,
  quickCreateLink,
  uploadLink,
} from '../../../src/console/web/pages/connect/role/cloudformation.ts';
import { partitionOf, roleArnOf, type RoleDraft } from '../../../src/console/web/pages/connect/role/draft.ts';
import { newExternalId } from '../../../src/console/web/pages/connect/role/external-id.ts';
import {
  isTooLong,
  permissions,
  tableArns,
  trustPolicy,
} from '../../../src/console/web/pages/connect/role/policies.ts';
import { terraformText } from '../../../src/console/web/pages/connect/role/terraform.ts';

// Its own types would bring the browser's into every file.
const { parse } = createRequire(import.meta.url)('@cdktf/hcl2json') as {
  readonly parse: (name: string, text: string) => Promise<Record<string, Record<string, object>>>;
};

const TENANT = 'tnt_0192f0c1d2e37f4a8b9c0d1e2f3a4b5c';
const TEMPLATE = new URL('../../../../deploy/customer-role/cloudformation.yaml', import.meta.url);

const NAMED: RoleDraft = {
  region: 'eu-west-1',
  accountId: '111122223333',
  penstockAccountId: '000000000000',
  externalId: newExternalId(TENANT),
  roleName: 'penstock-access',
  tables: { kind: 'named', names: ['customers', 'orders'] },
};
const TAGGED: RoleDraft = { ...NAMED, tables: { kind: 'tagged' } };

/** The template's values for a draft, as quick-create links and commands give them. */
function given(parameters: Readonly<Record<string, string>>): Values {
  const { TableArns, ...others } = parameters;
  return {
    'AWS::Partition': 'aws',
    'AWS::AccountId': NAMED.accountId,
    ...others,
    ...(TableArns === undefined ? {} : { TableArns: TableArns.split(',') }),
  };
}

const linkParameters = (link: string): Record<string, string> => {
  const [, query = ''] = new URL(link).hash.split('?');
  return Object.fromEntries(
    [...new URLSearchParams(query)].flatMap(([name, value]) =>
      name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [],
    ),
  );
};

/** What a shell calls when it runs the text, with `aws` standing in; and the files that the text leaves. */
async function runShell(
  text: string,
): Promise<{ calls: string[][]; readonly file: (name: string) => Promise<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-role-'));
  folders.push(folder);
  const script = `set -eu\naws() { printf '%s\\n' "$@" ''; }\n${text}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
  return {
    calls: stdout
      .split('\n\n')
      .filter((call) => call !== '')
      .map((call) => call.split('\n')),
    file: async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown,
  };
}
const folders: string[] = [];

describe('The access role, as the wizard shows it', () => {
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  it('is the role that the template makes, with the parameters of the quick-create link', async () => {
    const template = await readTemplate(TEMPLATE);
    for (const draft of [NAMED, TAGGED]) {
      const link = quickCreateLink(draft, 'https://templates.s3.amazonaws.com/penstock.yaml');
      const role = resourceProperties(template, 'AccessRole', given(linkParameters(link!)));
      expect(role).to.deep.include({
        RoleName: 'penstock-access',
        AssumeRolePolicyDocument: trustPolicy(draft),
        Policies: [{ PolicyName: 'read-tables', PolicyDocument: permissions(draft) }],
      });
    }
  });

  it('is made by commands that a shell runs as they stand', async () => {
    for (const draft of [NAMED, TAGGED]) {
      const { calls, file } = await runShell(createCommands(draft));
      expect(calls.map(([, action]) => action)).to.deep.equal(['create-role', 'put-role-policy', 'get-role']);
      expect(calls[0]).to.include('file://penstock-trust.json').and.to.include('penstock-access');
      expect(await file('penstock-trust.json')).to.deep.equal(trustPolicy(draft));
      expect(await file('penstock-read.json')).to.deep.equal(permissions(draft));
    }
  });

  it('is mended by commands that put in the whole policy', async () => {
    const trust = await runShell(mendTrustCommands(NAMED));
    expect(trust.calls.map(([, action]) => action)).to.deep.equal(['update-assume-role-policy']);
    expect(await trust.file('penstock-trust.json')).to.deep.equal(trustPolicy(NAMED));
    const read = await runShell(mendPermissionsCommands(NAMED));
    expect(await read.file('penstock-read.json')).to.deep.equal(permissions(NAMED));
  });

  it('gives the template by commands the same parameters as by the link', async () => {
    const { calls } = await runShell(deployCommands(NAMED)!);
    const overrides = calls[0]!.slice(calls[0]!.indexOf('--parameter-overrides') + 1);
    const link = quickCreateLink(NAMED, 'https://templates.s3.amazonaws.com/penstock.yaml');
    expect(overrides).to.have.members(
      Object.entries(linkParameters(link!)).map(([name, value]) => `${name}=${value}`),
    );
  });

  it('is Terraform that HashiCorp’s own parser reads, with the same policies', async () => {
    for (const draft of [NAMED, TAGGED]) {
      const { resource } = await parse('penstock.tf', terraformText(draft));
      const [role] = (resource as Record<string, Record<string, Record<string, string>[]>>)['aws_iam_role']![
        'penstock_access'
      ]!;
      const [policy] = (resource as Record<string, Record<string, Record<string, string>[]>>)[
        'aws_iam_role_policy'
      ]!['penstock_read_tables']!;
      expect(role!['name']).to.equal('penstock-access');
      expect(await encoded(role!['assume_role_policy']!)).to.deep.equal(trustPolicy(draft));
      expect(await encoded(policy!['policy']!)).to.deep.equal(permissions(draft));
    }
  });

  it('has no link where AWS could not follow it', () => {
    expect(quickCreateLink(NAMED, null)).to.equal(null);
    const many = { ...NAMED, tables: { kind: 'named', names: names(200) } } as const;
    expect(quickCreateLink(many, 'https://templates.s3.amazonaws.com/penstock.yaml')).to.equal(null);
    expect(deployCommands(many)).to.equal(null);
    expect(uploadLink({ ...NAMED, region: 'us-iso-east-1' })).to.equal(null);
    expect(uploadLink({ ...NAMED, region: 'cn-north-1' })).to.match(
      /^https:\/\/cn-north-1\.console\.amazonaws\.cn\//,
    );
  });

  it('says when IAM would refuse so many names, which tags do not have', () => {
    const many = { ...NAMED, tables: { kind: 'named', names: names(100) } } as const;
    expect(isTooLong(permissions(many))).to.equal(true);
    expect(isTooLong(permissions(NAMED))).to.equal(false);
    expect(isTooLong(permissions(TAGGED))).to.equal(false);
  });

  it('is of the partition of its region, as the SDK has it', () => {
    const regions = [
      'eu-west-1',
      'cn-north-1',
      'us-gov-east-1',
      'eusc-de-east-1',
      'us-iso-east-1',
      'us-isob-east-1',
    ];
    for (const region of regions) {
      expect(partitionOf(region), region).to.equal(sdkPartitionOf(region));
      const draft = { ...NAMED, region };
      expect(roleArnOf(draft)).to.equal(
        `arn:${sdkPartitionOf(region)}:iam::111122223333:role/penstock-access`,
      );
      expect(tableArns(draft)[0]).to.match(new RegExp(`^arn:${sdkPartitionOf(region)}:dynamodb:${region}:`));
    }
  });

  it('has an external ID that no other tenant can register, a new one each time', () => {
    const [one, two] = [newExternalId(TENANT), newExternalId(TENANT)];
    expect(one).to.not.equal(two);
    expect(carriesAnotherTenant(one, TENANT)).to.equal(false);
    expect(carriesAnotherTenant(one, TENANT.replace('0192', '0193'))).to.equal(true);
  });
});

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `table-number-${String(i).padStart(4, '0')}`);

/** The value of `jsonencode(…)`, by HashiCorp's parser again. */
async function encoded(expression: string): Promise<unknown> {
  const inner = /^\$\{jsonencode\((.*)\)\}$/s.exec(expression)?.[1];
  if (inner === undefined) throw new Error(`no jsonencode: ${expression}`);
  const { locals } = await parse('value.tf', `locals {\n  value = ${inner}\n}\n`);
  return (locals as unknown as { value: unknown }[])[0]!.value;
}
