import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { LoginService } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import type { HostedLogin } from '../login/hosted-login.ts';
import type { InteractionForm } from '../login/interactions.ts';
import type { SignInProblem } from '../login/problem.ts';
import type { SignInResult } from '../login/sign-in.ts';
import { toBrowser, toForm, toInteractionMessage, toProblemMessage, toSubject } from './login-messages.ts';
import { toStepMessage } from './oauth-messages.ts';

/** Who signed in, and that somebody could not; never with what. */
function audit(context: HandlerContext, result: SignInResult): void {
  const logger = loggerOf(context);
  if (result.kind === 'problem') {
    logger.info({ audit: 'sign-in refused', reason: result.problem.kind }, 'sign-in refused');
  } else {
    const { userId, tenantId } = result.user;
    logger.info({ audit: 'sign-in', userId, tenantId, stage: result.stage }, 'sign-in');
  }
}

/** What the hosted pages call. */
export function loginService(login: HostedLogin): ServiceImpl<typeof LoginService> {
  async function stepOf(form: InteractionForm, result: SignInResult, context: HandlerContext) {
    audit(context, result);
    if (result.kind === 'problem') {
      const interaction = toInteractionMessage(await login.page(form.browser));
      return { interaction, problem: toProblemMessage(result.problem) };
    }
    const interaction = toInteractionMessage(await login.page(result.browser));
    return { interaction, setCookies: [...result.setCookies] };
  }
  const enrollmentStep = (problem: SignInProblem | null, context: HandlerContext) => {
    loggerOf(context).info({ audit: 'enrollment', done: problem === null }, 'enrollment');
    return problem === null ? {} : { problem: toProblemMessage(problem) };
  };

  return {
    async getInteraction({ browser }) {
      return toInteractionMessage(await login.page(toBrowser(browser)));
    },
    async signInWithPassword({ form: message, ...credentials }, context) {
      const form = toForm(message);
      return stepOf(form, await login.signIns.withPassword(form, credentials), context);
    },
    async beginPasskeySignIn({ form }) {
      return { optionsJson: await login.signIns.beginPasskey(toForm(form)) };
    },
    async signInWithPasskey({ form: message, responseJson, remoteAddress }, context) {
      const form = toForm(message);
      const result = await login.signIns.withPasskey(form, { responseJson, remoteAddress });
      return stepOf(form, result, context);
    },
    async useAnotherAccount({ form }) {
      await login.signIns.useAnotherAccount(toForm(form));
      return {};
    },
    async decideConsent({ form, allow }, context) {
      const step = await login.decide(toForm(form), allow);
      loggerOf(context).info({ audit: allow ? 'consent given' : 'consent denied' }, 'consent');
      return toStepMessage(step);
    },
    getEnrollment: ({ enrollmentToken }) => login.enrollment.link(enrollmentToken),
    beginTotpEnrollment: ({ subject }) => login.enrollment.beginTotp(toSubject(subject)),
    async enrollTotp({ subject, ...given }, context) {
      return enrollmentStep(await login.enrollment.enrollTotp(toSubject(subject), given), context);
    },
    async beginPasskeyEnrollment({ subject }) {
      return { optionsJson: await login.enrollment.beginPasskey(toSubject(subject)) };
    },
    async enrollPasskey({ subject, responseJson }, context) {
      return enrollmentStep(await login.enrollment.enrollPasskey(toSubject(subject), responseJson), context);
    },
  };
}
