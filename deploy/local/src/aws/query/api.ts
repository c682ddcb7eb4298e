import type { Principal } from '../auth/principal.ts';
import { AwsError } from '../errors.ts';
import { element, type XmlValue } from './xml.ts';

/** A request of IAM's or STS's query protocol. */
export interface QueryCall {
  readonly principal: Principal;
  readonly region: string;
  readonly parameters: URLSearchParams;
}

/** Does one action; what it returns becomes the `…Result` element (undefined: the action has none). */
export type QueryAction = (call: QueryCall) => XmlValue | undefined;

/** A service of the query protocol. */
export interface QueryApi {
  /** Name in the credential scope: `iam` or `sts`. */
  readonly service: string;
  readonly version: string;
  readonly namespace: string;
  readonly actions: ReadonlyMap<string, QueryAction>;
}

/** Runs the action that a call names and writes AWS's answer. Throws AwsError. */
export function runQuery(api: QueryApi, call: QueryCall, requestId: string): string {
  const name = call.parameters.get('Action') ?? '';
  const version = call.parameters.get('Version') ?? '';
  const action = version === api.version ? api.actions.get(name) : undefined;
  if (action === undefined)
    throw new AwsError('InvalidAction', `Could not find operation ${name} for version ${version}`);
  const result = action(call);
  const body = result === undefined ? '' : element(`${name}Result`, result);
  const metadata = element('ResponseMetadata', { RequestId: requestId });
  return `<${name}Response xmlns="${api.namespace}">${body}${metadata}</${name}Response>`;
}

/** An error as the query protocol answers it. */
export function queryError(api: QueryApi, error: AwsError, requestId: string): string {
  const type = error.status >= 500 ? 'Receiver' : 'Sender';
  const body = element('Error', { Type: type, Code: error.code, Message: error.message });
  return `<ErrorResponse xmlns="${api.namespace}">${body}${element('RequestId', requestId)}</ErrorResponse>`;
}
