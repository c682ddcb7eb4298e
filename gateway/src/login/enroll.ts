import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { SignInProblem } from '../clients/oauth-messages.ts';
import { sendJson } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { answeringOAuthErrors } from '../http/oauth-errors.ts';
import { formParameters, queryParameters, type Parameters } from '../http/form-parameters.ts';
import type { Page } from './document.ts';
import { answeringErrorPages } from './error-pages.ts';
import { donePage } from './pages/done.ts';
import { enrollPage } from './pages/enroll.ts';
import { problemStatus } from './problem-status.ts';
import { passwordsDiffer, shownProblem, withPasswordToRepeat, type ShownProblem } from './shown-problem.ts';
import { sendPage } from './send-page.ts';

const OPTIONS_PATH = '/enroll/passkey-options';

function tokenOf(exchange: Exchange): string {
  const token = queryParameters(exchange).get('token');
  if (token !== undefined) return token;
  throw new PenstockError('NOT_FOUND', 'The link is incomplete. Open it as you got it.');
}

const subjectOf = (token: string) => ({ subject: { case: 'enrollmentToken' as const, value: token } });

/**
 * `/enroll?token=…`: enrollment by an administrator's link. No other site knows the token, so the forms need no CSRF
 * token.
 */
export function enrollEndpoints(
  login: GatewayClients['login'],
  wrongTokens: WrongTries,
): readonly Endpoint[] {
  const pageOf = async (
    exchange: Exchange,
    token: string,
    problem: ShownProblem | null = null,
  ): Promise<Page> => {
    const call = onBehalfOf(exchange, null);
    const enrollment = await answered(login.getEnrollment({ enrollmentToken: token }, call));
    const isOffered = enrollment.totpOffered || enrollment.passwordSettable;
    const totp = isOffered
      ? await answered(login.beginTotpEnrollment({ subject: subjectOf(token) }, call))
      : null;
    const query = `?token=${encodeURIComponent(token)}`;
    const target = { action: `/enroll${query}`, passkeyOptions: `${OPTIONS_PATH}${query}`, fields: {} };
    return enrollPage(enrollment, target, totp, problem);
  };

  const show = async (exchange: Exchange): Promise<void> =>
    sendPage(exchange, 200, await pageOf(exchange, tokenOf(exchange)));

  const enroll = async (
    exchange: Exchange,
    token: string,
    fields: Parameters,
  ): Promise<SignInProblem | undefined> => {
    const [subject, call] = [subjectOf(token), onBehalfOf(exchange, null)];
    switch (fields.get('step')) {
      case 'totp': {
        const [code, newPassword] = [fields.get('code') ?? '', fields.get('password') ?? ''];
        const request = { subject, code, newPassword };
        return (await answered(login.enrollTotp(request, call))).problem;
      }
      case 'passkey': {
        const request = { subject, responseJson: fields.get('response') ?? '' };
        return (await answered(login.enrollPasskey(request, call))).problem;
      }
      default:
        throw new PenstockError('VALIDATION_ERROR', 'The form is incomplete. Load the page again.');
    }
  };

  const submit = async (exchange: Exchange): Promise<void> => {
    const token = tokenOf(exchange);
    const fields = await formParameters(exchange);
    const password = fields.get('password') ?? '';
    if (password !== (fields.get('repeated') ?? '')) {
      return sendPage(exchange, 400, await pageOf(exchange, token, passwordsDiffer));
    }
    const problem = await enroll(exchange, token, fields);
    const byCode = fields.get('step') === 'totp';
    if (problem === undefined) return sendPage(exchange, 200, donePage({ byCode }));
    const shown = shownProblem(problem);
    const page = await pageOf(exchange, token, password === '' ? shown : withPasswordToRepeat(shown));
    sendPage(exchange, problemStatus(problem, 'enrollment'), page);
  };

  const passkeyOptions = async (exchange: Exchange): Promise<void> => {
    const subject = subjectOf(tokenOf(exchange));
    const { optionsJson } = await answered(
      login.beginPasskeyEnrollment({ subject }, onBehalfOf(exchange, null)),
    );
    sendJson(exchange.response, 200, JSON.parse(optionsJson));
  };

  const byLink =
    (handle: Endpoint['handle']): Endpoint['handle'] =>
    (exchange) =>
      wrongTokens.attempt(exchange, async () => handle(exchange), { code: 'NOT_FOUND' });

  return [
    { method: 'get', path: '/enroll', handle: answeringErrorPages(byLink(show)) },
    { method: 'post', path: '/enroll', handle: answeringErrorPages(byLink(submit)) },
    { method: 'post', path: OPTIONS_PATH, handle: answeringOAuthErrors(byLink(passkeyOptions)) },
  ];
}
