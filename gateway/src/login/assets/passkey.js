// Passkeys, the only thing on these pages that does not work without a script. It asks for the options, lets the browser talk to the
// authenticator, puts the answer into the form, and sends the form as any other.
(() => {
  'use strict';
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
  const toText = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=/g, '');
  const withBytes = (list) => (list ?? []).map((entry) => ({ ...entry, id: toBytes(entry.id) }));

  const ceremonies = {
    get: async (options) => {
      const publicKey = {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: withBytes(options.allowCredentials),
      };
      const { response, ...credential } = await described(navigator.credentials.get({ publicKey }));
      return {
        ...credential,
        response: {
          clientDataJSON: toText(response.clientDataJSON),
          authenticatorData: toText(response.authenticatorData),
          signature: toText(response.signature),
          ...(response.userHandle ? { userHandle: toText(response.userHandle) } : {}),
        },
      };
    },
    create: async (options) => {
      const publicKey = {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: withBytes(options.excludeCredentials),
      };
      const { response, ...credential } = await described(navigator.credentials.create({ publicKey }));
      return {
        ...credential,
        response: {
          clientDataJSON: toText(response.clientDataJSON),
          attestationObject: toText(response.attestationObject),
          transports: response.getTransports ? response.getTransports() : [],
        },
      };
    },
  };

  async function described(asked) {
    const credential = await asked;
    return {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      ...(credential.authenticatorAttachment
        ? { authenticatorAttachment: credential.authenticatorAttachment }
        : {}),
      response: credential.response,
    };
  }

  async function fetchOptions(form) {
    const answer = await fetch(form.dataset.options, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      credentials: 'same-origin',
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error_description);
    return body;
  }

  function reason(error) {
    if (error.name === 'NotAllowedError')
      return 'The passkey was not used: it was cancelled, or it took too long. Try again.';
    if (error.name === 'InvalidStateError') return 'This device already has a passkey for this account.';
    return error instanceof DOMException || !error.message
      ? 'The browser could not use a passkey here.'
      : error.message;
  }

  async function run(form) {
    const problem = form.querySelector('[data-passkey-problem]');
    const button = form.querySelector('button');
    problem.hidden = true;
    button.disabled = true;
    form.setAttribute('aria-busy', 'true');
    try {
      const credential = await ceremonies[form.dataset.passkey](await fetchOptions(form));
      form.elements.namedItem('response').value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      problem.textContent = reason(error);
      problem.hidden = false;
    } finally {
      button.disabled = false;
      form.removeAttribute('aria-busy');
    }
  }

  if (!window.PublicKeyCredential) {
    for (const other of document.querySelectorAll('details[data-without-passkey]')) other.open = true;
    return;
  }
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void run(form);
    });
  }
  for (const hint of document.querySelectorAll('[data-passkey-unavailable]')) hint.hidden = true;
})();
