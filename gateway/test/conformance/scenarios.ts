/**
 * Which scenarios of the official suite apply to this server. The suite is made for libraries: most of it drives an
 * "everything" server that registers the suite's own tools, resources and prompts under fixed names. What a server of a
 * product can show all the same is in PASSING; EXEMPT names the rest, each with its reason.
 *
 * Exemptions are written as the suite writes a baseline: `scenario:check` for one check of a scenario whose other checks
 * must pass, `scenario` for one that does not apply as a whole. The tests fail where an exempt check begins to pass.
 */
import type { Revision } from './support/suite.ts';

interface Exemption {
  readonly reason: string;
  readonly checks: readonly string[];
}

export const PASSING: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
};

const FIXTURES: Exemption = {
  reason: 'they call tools, resources and prompts that only a server made for the suite has',
  checks: [
    'tools-call-simple-text:tools-call-simple-text',
    'tools-call-image:tools-call-image',
    'tools-call-audio:tools-call-audio',
    'tools-call-embedded-resource:tools-call-embedded-resource',
    'tools-call-mixed-content:tools-call-mixed-content',
    'tools-call-error:tools-call-error',
    'tools-call-with-progress:tools-call-with-progress',
    'json-schema-2020-12:json-schema-2020-12-tool-found',
    'resources-read-text:resources-read-text',
    'resources-read-binary:resources-read-binary',
    'resources-templates-read:resources-templates-read',
    'prompts-get-simple:prompts-get-simple',
    'prompts-get-with-args:prompts-get-with-args',
    'prompts-get-embedded-resource:prompts-get-embedded-resource',
    'prompts-get-with-image:prompts-get-with-image',
  ],
};

const COMPLETIONS: Exemption = {
  reason: 'the server declares no completions: there is nothing to complete but names that list_tables shows',
  checks: ['completion-complete:completion-complete'],
};

export const EXEMPT: Readonly<Record<Revision, readonly Exemption[]>> = {
  '2025-11-25': [
    FIXTURES,
    COMPLETIONS,
    {
      reason: 'the server declares no logging: what it logs is for its operators, not for agents',
      checks: ['logging-set-level:logging-set-level', 'tools-call-with-logging:tools-call-with-logging'],
    },
    {
      reason: 'no tool asks the client for anything: a query needs neither its model nor its user',
      checks: [
        'tools-call-sampling:tools-call-sampling',
        'tools-call-elicitation:tools-call-elicitation',
        'elicitation-sep1034-defaults:elicitation-sep1034-general',
        'elicitation-sep1330-enums:elicitation-sep1330-general',
      ],
    },
    {
      reason: 'the server declares no subscriptions: its one resource changes with a release only',
      checks: ['resources-subscribe:resources-subscribe', 'resources-unsubscribe:resources-unsubscribe'],
    },
    {
      reason:
        'they are for servers with sessions: here a request stands for itself, so that any replica can answer it',
      checks: ['server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling'],
    },
  ],
  '2026-07-28': [
    FIXTURES,
    COMPLETIONS,
    {
      reason: "they need the suite's diagnostic tools, and say that they cannot be tested without",
      checks: [
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'server-stateless:sep-2575-missing-capability-http-400',
        'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
        'server-stateless:sep-2575-server-no-log-without-loglevel',
      ],
    },
    {
      reason: 'no tool answers with a request for input: a query needs neither the model nor the user',
      checks: [
        'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
        'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
        'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
        'input-required-result-request-state:sep-2322-request-state-incomplete',
        'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
        'input-required-result-multi-round:sep-2322-multi-round-r1',
        'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
        'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
        'input-required-result-result-type:sep-2322-result-type-included',
        'input-required-result-tampered-state:sep-2322-reject-tampered-state',
        'input-required-result-capability-check:sep-2322-respect-client-capabilities',
        'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params',
      ],
    },
    {
      reason: 'no argument of a tool is repeated in a header: nothing between agent and server routes by one',
      checks: [
        'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool',
        'http-custom-header-server-validation:sep-2243-server-decode-base64',
        'http-custom-header-server-validation:sep-2243-server-validate-param-match',
        'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars',
        'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch',
      ],
    },
    {
      reason: 'tasks are an extension that the server does not offer: a query ends within a minute',
      checks: [
        'tasks-lifecycle',
        'tasks-capability-negotiation',
        'tasks-wire-fields',
        'tasks-request-state-removal',
        'tasks-mrtr-input',
        'tasks-request-headers',
        'tasks-dispatch-and-envelope',
        'tasks-status-notifications',
        'tasks-required-task-error',
        'tasks-mrtr-composition',
      ],
    },
  ],
};
