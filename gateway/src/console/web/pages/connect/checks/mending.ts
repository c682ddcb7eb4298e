/** What to do about each problem, in words, with the commands that do it. */
import { mendPermissionsCommands, mendTrustCommands } from '../role/aws-cli.ts';
import { roleArnOf, type RoleDraft } from '../role/draft.ts';
import type { Mend, Problem } from './steps.ts';

export interface Mending {
  /** What to do. */
  readonly words: string;
  /** What it may be, where AWS does not say. */
  readonly causes?: readonly string[];
  /** Commands of the AWS CLI that do it; null: there are none that would fit. */
  readonly commands: string | null;
}

const WORDS: Readonly<Record<Mend, (draft: RoleDraft, problem: Problem) => Mending>> = Object.freeze({
  trust: (draft) => ({
    words:
      'Compare them in the IAM console, or run the commands, which put the right trust policy in. Or, if the role is to keep ' +
      'its external ID, change the external ID below. A new role takes some seconds to be known.',
    causes: [
      `There is no role ${roleArnOf(draft)}.`,
      `Its trust policy names another account than ${draft.penstockAccountId === '' ? 'that of Penstock' : draft.penstockAccountId}.`,
      `Its trust policy asks for another external ID than ${draft.externalId}.`,
    ],
    commands: mendTrustCommands(draft),
  }),
  'external-id-condition': (draft) => ({
    words:
      "The role's trust policy has to ask for the external ID. The commands put in the trust policy that does.",
    commands: mendTrustCommands(draft),
  }),
  'own-account': () => ({
    words:
      'Make the role in the account that owns the tables, and give its ARN here. A role of the account that Penstock runs in is refused.',
    commands: null,
  }),
  permissions: (draft) => ({
    words:
      "Allow the action on the table's ARN in the role's permissions; the commands put in all that is needed. If it is " +
      'allowed there, a service control policy or a permissions boundary of your organization denies it.',
    commands: mendPermissionsCommands(draft),
  }),
  'index-permissions': (draft) => ({
    words:
      "Indexes are resources of their own: allow the actions on the table's ARN followed by /index/*. The commands do. Until then " +
      'queries are planned without these indexes, and may cost more.',
    commands: mendPermissionsCommands(draft),
  }),
  'list-tables': (draft) => ({
    words: 'The allowlist * needs dynamodb:ListTables: allow it, or name the tables.',
    commands: draft.tables.kind === 'tagged' ? mendPermissionsCommands(draft) : null,
  }),
  kms: () => ({
    words:
      "The table is encrypted under a key of your own: allow the role kms:Decrypt on that key, in the role's permissions or " +
      "the key's policy, and see that the key is enabled.",
    commands: null,
  }),
  archived: () => ({
    words:
      'DynamoDB could not use the key of the table for seven days and archived it: restore it from the backup that DynamoDB made.',
    commands: null,
  }),
  'missing-table': missingTable,
  region: ({ region }) => ({
    words: `Check that ${region} is the region of the tables; if it is, check again in a moment.`,
    commands: null,
  }),
  again: () => ({ words: 'Check again in a moment.', commands: null }),
});

function missingTable({ region, tables }: RoleDraft, { tables: missing, tableCount }: Problem): Mending {
  const commands = `aws dynamodb list-tables --region ${region} --output text\n`;
  const isAll = tableCount > 1 && tables.kind === 'named' && tableCount === tables.names.length;
  const of = missing.length === 1 ? ` of ${missing[0]}` : '';
  return {
    words: isAll
      ? `None of the ${tableCount} is there, so it may be the region: this schema looks in ${region}. Else check the account and the spelling (capitals count).`
      : `Check the spelling${of} (capitals count) and the region: this schema looks in ${region}.`,
    commands,
  };
}

export function mendingOf(draft: RoleDraft, problem: Problem): Mending {
  return WORDS[problem.mend](draft, problem);
}
