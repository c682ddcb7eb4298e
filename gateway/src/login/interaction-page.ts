import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { Interaction, SignInProblem } from '../clients/oauth-messages.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Page } from './document.ts';
import { cookieHeader, loginPath } from './interaction.ts';
import { consentPage } from './pages/consent.ts';
import { secondFactorPage } from './pages/second-factor.ts';
import { signInPage } from './pages/sign-in.ts';
import { shownProblem } from './shown-problem.ts';
import type { FormTarget } from './parts/form-target.ts';

export const PASSKEY_OPTIONS_PATH = '/login/passkey-options';

/** What a page says when it is shown again. */
interface Again {
  readonly problem?: SignInProblem;
  /** As typed before. */
  readonly email?: string;
}

function targetOf({ interactionId, csrfToken }: Interaction): FormTarget {
  return {
    action: loginPath(interactionId),
    passkeyOptions: `${PASSKEY_OPTIONS_PATH}?interaction=${encodeURIComponent(interactionId)}`,
    fields: { csrf: csrfToken },
  };
}

/** The page of the step that a sign-in is at. */
export async function interactionPage(
  login: GatewayClients['login'],
  exchange: Exchange,
  interaction: Interaction,
  { problem: refusal, email = '' }: Again = {},
): Promise<Page> {
  const { client, page, interactionId, csrfToken } = interaction;
  if (client === undefined) throw new PenstockError('INTERNAL', 'auth named no client');
  const target = targetOf(interaction);
  const problem = refusal === undefined ? null : shownProblem(refusal);
  switch (page.case) {
    case 'signIn':
      return signInPage(client, target, { email, problem });
    case 'secondFactor': {
      const form = { browser: { interactionId, cookieHeader: cookieHeader(exchange) }, csrfToken };
      const subject = { subject: { case: 'form' as const, value: form } };
      const totp = await answered(login.beginTotpEnrollment({ subject }, onBehalfOf(exchange, null)));
      return secondFactorPage(client, page.value, target, totp, problem);
    }
    case 'consent':
      return consentPage(client, page.value, target);
    case undefined:
      throw new PenstockError('INTERNAL', 'auth named no page');
  }
}
