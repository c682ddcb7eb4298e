/** The ways to make the role: each shows what is made, and can be copied whole. */
import { useState } from 'preact/hooks';
import { CopyBlock } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { DownloadLink } from '../common/download-link.tsx';
import { createCommands, tagCommand } from './role/aws-cli.ts';
import { deployCommands, quickCreateLink, TEMPLATE_FILE, uploadLink } from './role/cloudformation.ts';
import { TABLE_TAG, type RoleDraft } from './role/draft.ts';
import { permissions, trustPolicy } from './role/policies.ts';
import { terraformText } from './role/terraform.ts';

export interface Template {
  /** In S3; null: the operator keeps none there. */
  readonly url: string | null;
  readonly text: string;
}

type Way = 'cloudformation' | 'terraform' | 'cli' | 'policies';

const WAYS: readonly { readonly name: Way; readonly title: string }[] = [
  { name: 'cloudformation', title: 'CloudFormation' },
  { name: 'terraform', title: 'Terraform' },
  { name: 'cli', title: 'AWS CLI' },
  { name: 'policies', title: 'Policies' },
];

const json = (value: unknown): string => JSON.stringify(value, null, 2);

function CloudFormation({ draft, template }: { readonly draft: RoleDraft; readonly template: Template }) {
  const quick = quickCreateLink(draft, template.url);
  const commands = deployCommands(draft);
  const upload = uploadLink(draft);
  if (commands === null) {
    return (
      <p>The template takes some 60 tables by name. Use another of these ways, or choose tables by a tag.</p>
    );
  }
  return (
    <>
      {quick === null ? (
        <p class="actions">
          <DownloadLink name={TEMPLATE_FILE} type="text/yaml" text={template.text}>
            Download the template
          </DownloadLink>
          {upload === null ? null : (
            <a class="button" href={upload} target="_blank" rel="noreferrer">
              <Icon name="link" />
              Upload it in the AWS console
            </a>
          )}
        </p>
      ) : (
        <p class="actions">
          <a class="button primary" href={quick} target="_blank" rel="noreferrer">
            <Icon name="link" />
            Create the stack in the AWS console
          </a>
          <DownloadLink name={TEMPLATE_FILE} type="text/yaml" text={template.text}>
            Download the template
          </DownloadLink>
        </p>
      )}
      <p>
        {quick === null
          ? 'Or, beside'
          : 'Everything is filled in: tick the box about IAM, and press Create. Or, beside'}{' '}
        <code>{TEMPLATE_FILE}</code>:
      </p>
      <CopyBlock text={commands} what="the commands for CloudFormation" />
    </>
  );
}

function Shown({
  way,
  draft,
  template,
}: {
  readonly way: Way;
  readonly draft: RoleDraft;
  readonly template: Template;
}) {
  switch (way) {
    case 'cloudformation':
      return <CloudFormation draft={draft} template={template} />;
    case 'terraform':
      return (
        <>
          <p>
            Add this to a configuration with the AWS provider, and <code>terraform apply</code>.
          </p>
          <CopyBlock text={terraformText(draft)} what="the Terraform resources" />
        </>
      );
    case 'cli':
      return (
        <>
          <p>
            With credentials of account <code>{draft.accountId}</code>. AWS CloudShell has them.
          </p>
          <CopyBlock text={createCommands(draft)} what="the commands of the AWS CLI" />
        </>
      );
    case 'policies':
      return (
        <>
          <p>What the other ways make, for whoever makes roles by hand.</p>
          <h3>Trust policy: who may assume the role</h3>
          <CopyBlock text={json(trustPolicy(draft))} what="the trust policy" />
          <h3>Permissions: what it may do</h3>
          <CopyBlock text={json(permissions(draft))} what="the permissions" />
        </>
      );
  }
}

export function RoleForms({ draft, template }: { readonly draft: RoleDraft; readonly template: Template }) {
  const [way, setWay] = useState<Way>('cloudformation');
  return (
    <>
      <ul class="ticks">
        <li>
          May read {draft.tables.kind === 'named' ? 'the tables that you named' : 'the tables that you tag'},
          and their indexes
        </li>
        <li>May not write anything, nor read another table or service</li>
        <li>Ends when you delete it, or change the external ID</li>
      </ul>
      <Tabs label="How to make the role" tabs={WAYS} chosen={way} onChoose={setWay}>
        <div class="way">
          <Shown way={way} draft={draft} template={template} />
        </div>
      </Tabs>
      {draft.tables.kind === 'tagged' ? (
        <>
          <h3>Tag the tables</h3>
          <p>
            Each with <code>{`${TABLE_TAG.key} = ${TABLE_TAG.value}`}</code>, in the AWS console or so; who
            may tag tables decides then what Penstock may read.
          </p>
          <CopyBlock text={tagCommand(draft)} what="the command that tags a table" />
        </>
      ) : null}
    </>
  );
}
