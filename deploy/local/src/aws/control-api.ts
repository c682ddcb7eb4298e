import { AwsError } from './errors.ts';
import { parseFaultRules, type Faults } from './faults.ts';
import { jsonAnswer, type Answer } from './http/answer.ts';
import type { RequestLog } from './request-log.ts';

/**
 * The endpoint's own paths, which need no signature: `/_health`, `/_faults` (GET, PUT) and `/_requests` (GET,
 * DELETE, with `accountId`).
 * @returns undefined where the path is none of them
 */
export function answerControl(
  parts: { readonly faults: Faults; readonly log: RequestLog },
  request: { readonly method: string; readonly url: string; readonly body: Buffer },
): Answer | undefined {
  const { pathname, searchParams } = new URL(request.url, 'http://local');
  try {
    switch (`${request.method} ${pathname}`) {
      case 'GET /_health':
        return jsonAnswer(200, { status: 'ok' });
      case 'GET /_faults':
        return jsonAnswer(200, parts.faults.list());
      case 'PUT /_faults':
        parts.faults.replace(parseFaultRules(parseJson(request.body)));
        return jsonAnswer(200, parts.faults.list());
      case 'GET /_requests':
        return jsonAnswer(200, parts.log.list(accountOf(searchParams)));
      case 'DELETE /_requests':
        parts.log.clear(accountOf(searchParams));
        return jsonAnswer(200, []);
      default:
        return pathname.startsWith('/_')
          ? jsonAnswer(404, { error: `There is no ${request.method} ${pathname} here.` })
          : undefined;
    }
  } catch (error) {
    if (error instanceof AwsError) return jsonAnswer(error.status, { error: error.message });
    throw error;
  }
}

function accountOf(parameters: URLSearchParams): string {
  const accountId = parameters.get('accountId') ?? '';
  if (!/^\d{12}$/.test(accountId))
    throw new AwsError('InvalidAccount', 'Give the query parameter accountId, 12 digits.');
  return accountId;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError('InvalidFaults', 'Invalid faults: the body is not JSON.');
  }
}
