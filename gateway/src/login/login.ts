import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { Interaction } from '../clients/oauth-messages.ts';
import { sendJson } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { answeringOAuthErrors } from '../http/oauth-errors.ts';
import { formParameters } from '../http/form-parameters.ts';
import { answeringErrorPages } from './error-pages.ts';
import { interactionPage, PASSKEY_OPTIONS_PATH } from './interaction-page.ts';
import { browserOf, interactionForm, loginPath } from './interaction.ts';
import { problemStatus } from './problem-status.ts';
import { sendPage, sendRedirect } from './send-page.ts';
import { sendStep } from './send-step.ts';
import { enrollTotp, passkeyStep, signInWithPassword, type SentForm, type StepResult } from './steps.ts';

/** `/login?interaction=…`: all pages of a sign-in have one URL, so that a reload shows the current step. */
export function loginEndpoints(login: GatewayClients['login']): readonly Endpoint[] {
  const current = (exchange: Exchange): Promise<Interaction> =>
    answered(login.getInteraction({ browser: browserOf(exchange) }, onBehalfOf(exchange, null)));

  /** The console is ours: whoever signed in to it has said all that a consent page would ask. */
  const enterConsole = async (exchange: Exchange, { csrfToken }: Interaction): Promise<void> => {
    const request = { form: { browser: browserOf(exchange), csrfToken }, allow: true };
    sendStep(exchange, await answered(login.decideConsent(request, onBehalfOf(exchange, null))));
  };

  const show = async (exchange: Exchange): Promise<void> => {
    const interaction = await current(exchange);
    const asksNobody = interaction.client?.firstParty === true && interaction.page.case === 'consent';
    if (asksNobody) return enterConsole(exchange, interaction);
    sendPage(exchange, 200, await interactionPage(login, exchange, interaction));
  };

  const readForm = async (exchange: Exchange): Promise<SentForm> => {
    const fields = await formParameters(exchange);
    return { exchange, fields, form: interactionForm(exchange, fields) };
  };

  const decide = async ({ exchange, fields, form }: SentForm): Promise<void> => {
    const decision = fields.get('decision');
    if (decision !== 'allow' && decision !== 'deny') {
      throw new PenstockError('VALIDATION_ERROR', 'Choose Allow or Deny.');
    }
    const request = { form, allow: decision === 'allow' };
    sendStep(exchange, await answered(login.decideConsent(request, onBehalfOf(exchange, null))));
  };

  const answerStep = async (sent: SentForm, { problem, during, setCookies }: StepResult): Promise<void> => {
    const { exchange, fields, form } = sent;
    if (problem === undefined) {
      return sendRedirect(exchange, loginPath(form.browser.interactionId), setCookies);
    }
    if (problem.retryAfterS !== undefined) exchange.response.setHeader('retry-after', problem.retryAfterS);
    const again = { problem, email: fields.get('email') ?? '' };
    const page = await interactionPage(login, exchange, await current(exchange), again);
    sendPage(exchange, problemStatus(problem, during), page);
  };

  const submit = async (exchange: Exchange): Promise<void> => {
    const sent = await readForm(exchange);
    switch (sent.fields.get('step')) {
      case 'password':
        return answerStep(sent, await signInWithPassword(login, sent));
      case 'totp':
        return answerStep(sent, await enrollTotp(login, sent));
      case 'passkey':
        return answerStep(sent, await passkeyStep(login, sent, (await current(exchange)).page.case));
      case 'another-account':
        await answered(login.useAnotherAccount({ form: sent.form }, onBehalfOf(exchange, null)));
        return sendRedirect(exchange, loginPath(sent.form.browser.interactionId));
      case 'decide':
        return decide(sent);
      default:
        throw new PenstockError('VALIDATION_ERROR', 'The form is incomplete. Load the page again.');
    }
  };

  const passkeyOptions = async (exchange: Exchange): Promise<void> => {
    const { form } = await readForm(exchange);
    const { page } = await current(exchange);
    const call = onBehalfOf(exchange, null);
    const { optionsJson } = await answered(
      page.case === 'secondFactor'
        ? login.beginPasskeyEnrollment({ subject: { subject: { case: 'form', value: form } } }, call)
        : login.beginPasskeySignIn({ form }, call),
    );
    sendJson(exchange.response, 200, JSON.parse(optionsJson));
  };

  return [
    { method: 'get', path: '/login', handle: answeringErrorPages(show) },
    { method: 'post', path: '/login', handle: answeringErrorPages(submit) },
    { method: 'post', path: PASSKEY_OPTIONS_PATH, handle: answeringOAuthErrors(passkeyOptions) },
  ];
}
