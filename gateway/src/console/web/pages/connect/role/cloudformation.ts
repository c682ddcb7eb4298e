/** The role as a CloudFormation stack of this deployment's template: commands, and links into AWS's console. */
import { partitionOf, type RoleDraft } from './draft.ts';
import { tableArns } from './policies.ts';

const STACK_NAME = 'penstock-access';

/** How the template is called where it is saved. */
export const TEMPLATE_FILE = 'penstock-access.yaml';

/** How many bytes a parameter of a stack holds (CloudFormation User Guide, "CloudFormation quotas"). */
const PARAMETER_BYTES_MAX = 4_096;

/** The template's parameters for a role; null where a parameter can't hold so many tables. */
function parametersOf(draft: RoleDraft): Readonly<Record<string, string>> | null {
  const arns = tableArns(draft).join(',');
  if (arns.length > PARAMETER_BYTES_MAX) return null;
  return {
    PenstockAccountId: draft.penstockAccountId,
    ExternalId: draft.externalId,
    RoleName: draft.roleName,
    ...(draft.tables.kind === 'named' ? { TableArns: arns } : { TaggedTables: 'true', ListTables: 'true' }),
  };
}

/**
 * Commands that make the stack from the template's file, and say the role's ARN; null where there are more tables than
 * the template takes by name.
 */
export function deployCommands(draft: RoleDraft): string | null {
  const parameters = parametersOf(draft);
  if (parameters === null) return null;
  const { region } = draft;
  const given = Object.entries(parameters).map(([name, value]) => `  ${name}=${value}`);
  return `aws cloudformation deploy \\
  --region ${region} --stack-name ${STACK_NAME} \\
  --template-file ${TEMPLATE_FILE} --capabilities CAPABILITY_NAMED_IAM \\
  --parameter-overrides \\
${given.join(' \\\n')}
aws cloudformation describe-stacks \\
  --region ${region} --stack-name ${STACK_NAME} \\
  --query "Stacks[0].Outputs[?OutputKey=='RoleArn'].OutputValue" --output text
`;
}

const CONSOLES: Readonly<Record<string, string>> = Object.freeze({
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
  'aws-eusc': 'console.amazonaws-eusc.eu',
});

/**
 * A link that opens AWS's console with the stack filled in, to be created by one press ("Creating quick-create links for
 * stacks"). AWS takes templates from S3 only.
 * @param templateUrl where this deployment keeps the template in S3; null: nowhere
 * @returns null where there can be no such link: no template in S3, a partition without a public console, or more
 *   tables than a parameter holds
 */
export function quickCreateLink(draft: RoleDraft, templateUrl: string | null): string | null {
  const host = CONSOLES[partitionOf(draft.region)];
  const parameters = parametersOf(draft);
  if (templateUrl === null || host === undefined || parameters === null) return null;
  const query = new URLSearchParams({ templateURL: templateUrl, stackName: STACK_NAME });
  for (const [name, value] of Object.entries(parameters)) query.set(`param_${name}`, value);
  return `https://${draft.region}.${host}/cloudformation/home?region=${draft.region}#/stacks/create/review?${query.toString()}`;
}

/** A link to AWS's page that takes a template from a file; null in a partition without a public console. */
export function uploadLink({ region }: RoleDraft): string | null {
  const host = CONSOLES[partitionOf(region)];
  return host === undefined
    ? null
    : `https://${region}.${host}/cloudformation/home?region=${region}#/stacks/create/template`;
}
