import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { readTemplate, resourceProperties } from './support/cloudformation.ts';

// Its own types would bring the browser's into every file.
const { parse } = createRequire(import.meta.url)('@cdktf/hcl2json') as {
  readonly parse: (name: string, text: string) => Promise<Record<string, object>>;
};

const FOLDER = new URL('../../../customer-role/', import.meta.url);

/** A statement of `aws_iam_policy_document`, as HCL reads: expressions stay text, `${…}`. */
interface Statement {
  readonly sid?: string;
  readonly effect: string;
  readonly actions: string | readonly string[];
  readonly resources?: string | readonly string[];
  readonly principals?: readonly { readonly type: string; readonly identifiers: readonly string[] }[];
  readonly condition?: readonly {
    readonly test: string;
    readonly variable: string;
    readonly values: readonly string[];
  }[];
}

interface Module {
  readonly variable: Readonly<Record<string, readonly { readonly default?: unknown }[]>>;
  readonly locals: readonly { readonly read_actions: readonly string[] }[];
  readonly output: Readonly<Record<string, readonly { readonly value: string }[]>>;
  readonly resource: Readonly<Record<string, Readonly<Record<string, readonly Record<string, unknown>[]>>>>;
  readonly data: {
    readonly aws_iam_policy_document: Readonly<
      Record<
        string,
        readonly {
          readonly statement?: readonly Statement[];
          readonly dynamic?: {
            readonly statement: readonly {
              readonly for_each: string;
              readonly content: readonly Statement[];
            }[];
          };
        }[]
      >
    >;
  };
}

/** Every block of the module's files, by HashiCorp's own parser: a file that is no HCL fails here. */
async function readModule(): Promise<Module> {
  const folder = new URL('terraform/', FOLDER);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.tf'));
  const blocks: Record<string, object>[] = [];
  for (const name of files) blocks.push(await parse(name, await readFile(new URL(name, folder), 'utf8')));
  const kinds = new Set(blocks.flatMap((file) => Object.keys(file)));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, Object.assign({}, ...blocks.map((file) => file[kind]))]),
  ) as unknown as Module;
}

describe('the Terraform module of the access role', () => {
  let module: Module;
  before(async () => {
    module = await readModule();
  });

  const documentOf = (name: string) => {
    const document = module.data.aws_iam_policy_document[name]?.[0];
    if (document === undefined) throw new Error(`no aws_iam_policy_document ${name}`);
    return document;
  };

  it('trusts Penstock’s account under the external ID and nobody else', () => {
    expect(documentOf('trust').dynamic).to.equal(undefined);
    expect(documentOf('trust').statement).to.deep.equal([
      {
        effect: 'Allow',
        actions: ['sts:AssumeRole'],
        principals: [
          {
            type: 'AWS',
            identifiers: ['arn:${data.aws_partition.current.partition}:iam::${var.penstock_account_id}:root'],
          },
        ],
        condition: [{ test: 'StringEquals', variable: 'sts:ExternalId', values: ['${var.external_id}'] }],
      },
    ]);
    expect(module.resource['aws_iam_role']?.['access']?.[0]?.['assume_role_policy']).to.equal(
      '${data.aws_iam_policy_document.trust.json}',
    );
  });

  it('allows the same actions as the CloudFormation template, on the same things', async () => {
    const template = await readTemplate(new URL('cloudformation.yaml', FOLDER));
    const role = resourceProperties(template, 'AccessRole', {
      'AWS::Partition': 'aws',
      PenstockAccountId: '999988887777',
      ExternalId: '8f14e45f-ceea-467f-a0e6-b7d3f5a2c001',
      'AWS::AccountId': '111122223333',
      TableArns: ['table'],
      TaggedTables: 'true',
      ListTables: 'true',
      KmsKeyArns: ['key'],
    }) as { Policies: { PolicyDocument: { Statement: Record<string, unknown>[] } }[] };
    const theirs = role.Policies[0]?.PolicyDocument.Statement.map(({ Sid, Action, Resource, Condition }) => ({
      sid: Sid,
      actions: [Action].flat(),
      resources: [Resource].flat(),
      condition: Condition,
    }));

    const { statement, dynamic } = documentOf('read_tables');
    const values: Readonly<Record<string, readonly string[]>> = {
      '${var.table_arns}': ['table'],
      '${[for arn in var.table_arns : "${arn}/index/*"]}': ['table/index/*'],
      '${var.kms_key_arns}': ['key'],
    };
    const asked = (dynamic?.statement ?? []).map(({ for_each, content }) => ({
      ...content[0],
      sid: /\["(\w+)"\] : \[\]\}$/.exec(for_each)?.[1],
    })) as Statement[];
    const ours = [...(statement ?? []), ...asked].map(({ sid, actions, resources, condition }) => ({
      sid,
      actions: actions === '${local.read_actions}' ? module.locals[0]?.read_actions : actions,
      resources:
        typeof resources === 'string'
          ? values[resources]
          : resources?.map((text) =>
              text
                .replace('${data.aws_partition.current.partition}', 'aws')
                .replace('${data.aws_caller_identity.current.account_id}', '111122223333'),
            ),
      condition: condition?.[0] && {
        [condition[0].test]: { [condition[0].variable]: condition[0].values.join() },
      },
    }));
    expect(ours).to.deep.equal(theirs);
  });

  it('asks for the account and the external ID, for tables by name or tag, and has a default for everything else', () => {
    const asked = Object.entries(module.variable).filter(([, [variable]]) => variable?.default === undefined);
    expect(asked.map(([name]) => name)).to.have.members(['penstock_account_id', 'external_id']);
    const role = module.resource['aws_iam_role']?.['access']?.[0] as {
      lifecycle: { precondition: { condition: string }[] }[];
    };
    expect(role.lifecycle[0]?.precondition[0]?.condition).to.equal(
      '${length(var.table_arns) > 0 || var.tagged_tables}',
    );
  });

  it('gives back what a schema needs', () => {
    expect(module.output['role_arn']?.[0]?.value).to.equal('${aws_iam_role.access.arn}');
    expect(module.output['account_id']?.[0]?.value).to.equal(
      '${data.aws_caller_identity.current.account_id}',
    );
  });
});
