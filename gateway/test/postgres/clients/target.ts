/** Where clients connect to. */
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import type { Credentials } from '../../e2e/support/tenant.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export function targetOf(
  { postgresUrl }: Pick<RunningStack, 'postgresUrl'>,
  { clientId, clientSecret }: Credentials,
): Target {
  const { hostname, port } = new URL(postgresUrl);
  return { host: hostname, port: Number(port), user: clientId, password: clientSecret };
}
