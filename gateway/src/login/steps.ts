import type { CallOptions } from '@connectrpc/connect';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import type { Interaction, SignInProblem } from '../clients/oauth-messages.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Parameters } from '../http/form-parameters.ts';
import type { interactionForm } from './interaction.ts';

/** How a form was answered. Without a problem, the sign-in has moved on. */
export interface StepResult {
  readonly problem?: SignInProblem | undefined;
  readonly during: 'sign-in' | 'enrollment';
  /** Set-Cookie values for a browser that has signed in. */
  readonly setCookies?: readonly string[];
}

/** A form that was sent, and what its call needs. */
export interface SentForm {
  readonly exchange: Exchange;
  readonly fields: Parameters;
  readonly form: ReturnType<typeof interactionForm>;
}

type Login = GatewayClients['login'];

const call = ({ exchange }: SentForm): CallOptions => onBehalfOf(exchange, null);

/** Password and one-time code. */
export async function signInWithPassword(login: Login, sent: SentForm): Promise<StepResult> {
  const { exchange, fields, form } = sent;
  const request = {
    form,
    email: fields.get('email') ?? '',
    password: fields.get('password') ?? '',
    code: fields.get('code') ?? '',
    remoteAddress: exchange.request.ip ?? '',
  };
  const { problem, setCookies } = await answered(login.signInWithPassword(request, call(sent)));
  return { problem, during: 'sign-in', setCookies };
}

/** The first code of a new authenticator. */
export async function enrollTotp(login: Login, sent: SentForm): Promise<StepResult> {
  const subject = { subject: { case: 'form' as const, value: sent.form } };
  const request = { subject, code: sent.fields.get('code') ?? '' };
  const { problem } = await answered(login.enrollTotp(request, call(sent)));
  return { problem, during: 'enrollment' };
}

/** A passkey's answer: at sign-in it signs in, at the second factor it is enrolled. */
export async function passkeyStep(
  login: Login,
  sent: SentForm,
  page: Interaction['page']['case'],
): Promise<StepResult> {
  const responseJson = sent.fields.get('response') ?? '';
  if (page === 'secondFactor') {
    const subject = { subject: { case: 'form' as const, value: sent.form } };
    const { problem } = await answered(login.enrollPasskey({ subject, responseJson }, call(sent)));
    return { problem, during: 'enrollment' };
  }
  const remoteAddress = sent.exchange.request.ip ?? '';
  const request = { form: sent.form, responseJson, remoteAddress };
  const { problem, setCookies } = await answered(login.signInWithPasskey(request, call(sent)));
  return { problem, during: 'sign-in', setCookies };
}
