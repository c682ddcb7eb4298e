import type { Endpoint } from '../../http/endpoint.ts';
import { answeringErrorPages } from '../../login/error-pages.ts';
import { html } from '../../login/html.ts';
import { sendPage } from '../../login/send-page.ts';
import { signInPath } from '../api/paths.ts';

const WORDS = Object.freeze({
  cancelled: { title: 'Not signed in', message: 'The sign-in was cancelled.', status: 200 },
  expired: {
    title: 'Sign in again',
    message: 'This sign-in has expired or was used.',
    status: 400,
  },
  'not-ours': {
    title: 'Sign in again',
    message: 'This sign-in did not begin in this browser, or not a moment ago.',
    status: 400,
  },
  failed: { title: 'Sign in again', message: 'The sign-in did not succeed.', status: 400 },
});

/** Why a sign-in did not lead to a session, and where it was to lead. */
export class SignInProblem extends Error {
  readonly kind: keyof typeof WORDS;
  readonly place: string;

  constructor(kind: keyof typeof WORDS, place: string) {
    super(WORDS[kind].message);
    this.kind = kind;
    this.place = place;
  }
}

/** A handler whose problems are pages that lead to another try. */
export function answeringSignInProblems(handle: Endpoint['handle']): Endpoint['handle'] {
  return answeringErrorPages(async (exchange) => {
    try {
      await handle(exchange);
    } catch (error) {
      if (!(error instanceof SignInProblem)) throw error;
      const { title, message, status } = WORDS[error.kind];
      exchange.logger.info({ signIn: error.kind }, 'console: not signed in');
      sendPage(exchange, status, {
        title,
        body: html`<h1>${title}</h1>
          <p class="notice" role="alert">${message}</p>
          <p><a class="button" href="${signInPath(error.place)}">Sign in to the console</a></p>`,
      });
    }
  });
}
