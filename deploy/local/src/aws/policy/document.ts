import { malformedPolicy } from '../errors.ts';
import { parseConditions, type PolicyCondition } from './conditions.ts';

/**
 * IAM policy documents as frozen data. Reference: IAM User Guide, "IAM JSON policy elements".
 * Policy variables (`${aws:…}`) are matched as they are written.
 */
export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  /** Exactly one of `actions` and `notActions` is given; likewise for resources. */
  readonly actions: readonly string[] | undefined;
  readonly notActions: readonly string[] | undefined;
  readonly resources: readonly string[] | undefined;
  readonly notResources: readonly string[] | undefined;
  /** Patterns of `Principal.AWS`, `*` for anyone; empty in identity policies. */
  readonly principals: readonly string[];
  readonly conditions: readonly PolicyCondition[];
}

export interface PolicyDocument {
  readonly statements: readonly PolicyStatement[];
}

type Fields = Readonly<Record<string, unknown>>;

const PRINCIPAL =
  /^(\*|\d{12}|arn:aws[a-z-]*:(iam::\d{12}:(root|(user|role)\/.+)|sts::\d{12}:(assumed-role|federated-user)\/.+))$/;

/** Reads a policy that is attached to a role or passed to AssumeRole. Throws MalformedPolicyDocument. */
export function parseIdentityPolicy(text: string): PolicyDocument {
  return parse(text, (fields) => {
    if ('Principal' in fields || 'NotPrincipal' in fields)
      throw malformedPolicy('Policy document should not specify a principal.');
    const resources = stringList(fields, 'Resource');
    const notResources = stringList(fields, 'NotResource');
    if ((resources === undefined) === (notResources === undefined))
      throw malformedPolicy('Policy statement must contain resources.');
    return { resources, notResources, principals: [] };
  });
}

/** Reads a role's trust policy. Throws MalformedPolicyDocument. */
export function parseTrustPolicy(text: string): PolicyDocument {
  return parse(text, (fields) => {
    for (const prohibited of ['Resource', 'NotResource', 'NotPrincipal'])
      if (prohibited in fields) throw malformedPolicy(`Has prohibited field ${prohibited}`);
    if (!('Principal' in fields)) throw malformedPolicy('Missing required field Principal');
    return { resources: undefined, notResources: undefined, principals: principalsOf(fields['Principal']) };
  });
}

type Target = Pick<PolicyStatement, 'resources' | 'notResources' | 'principals'>;

function parse(text: string, target: (fields: Fields) => Target): PolicyDocument {
  const document = parseJson(text);
  const version = document['Version'];
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17')
    throw malformedPolicy('The policy must contain a valid version string');
  const list = Array.isArray(document['Statement'])
    ? (document['Statement'] as unknown[])
    : [document['Statement']];
  if (list.length === 0) throw malformedPolicy('Syntax errors in policy.');
  return { statements: list.map((fields) => statement(asFields(fields), target)) };
}

function statement(fields: Fields, target: (fields: Fields) => Target): PolicyStatement {
  const effect = fields['Effect'];
  if (effect !== 'Allow' && effect !== 'Deny') throw malformedPolicy('Missing required field Effect');
  const actions = stringList(fields, 'Action');
  const notActions = stringList(fields, 'NotAction');
  if ((actions === undefined) === (notActions === undefined))
    throw malformedPolicy('Policy statement must contain actions.');
  for (const action of actions ?? notActions ?? [])
    if (action !== '*' && !/^[A-Za-z0-9-]+:[A-Za-z0-9*?]+$/.test(action))
      throw malformedPolicy('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.');
  const condition = fields['Condition'];
  const conditions = condition === undefined ? [] : parseConditions(asFields(condition));
  return { effect, actions, notActions, conditions, ...target(fields) };
}

function principalsOf(value: unknown): readonly string[] {
  if (value === '*') return ['*'];
  const fields = asFields(value);
  const patterns = stringList(fields, 'AWS') ?? [];
  for (const pattern of patterns)
    if (!PRINCIPAL.test(pattern)) throw malformedPolicy(`Invalid principal in policy: "AWS":"${pattern}"`);
  const others = ['Service', 'Federated', 'CanonicalUser'].some(
    (kind) => stringList(fields, kind) !== undefined,
  );
  if (patterns.length === 0 && !others) throw malformedPolicy('Invalid principal in policy.');
  return patterns;
}

function parseJson(text: string): Fields {
  try {
    return asFields(JSON.parse(text));
  } catch {
    throw malformedPolicy('This policy contains invalid Json');
  }
}

function asFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformedPolicy('Syntax errors in policy.');
  return value as Fields;
}

function stringList(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every((item) => typeof item === 'string'))
    throw malformedPolicy('Syntax errors in policy.');
  return list;
}
