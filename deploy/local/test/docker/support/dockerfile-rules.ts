/**
 * Rules for Dockerfiles beyond their syntax, which dockerfile-utils checks. They are those of hadolint
 * (https://github.com/hadolint/hadolint/wiki, whose codes they bear) as far as our files can break them, and our own.
 */
import { parseStages, type Instruction, type Stage } from './dockerfile.ts';

interface Rule {
  readonly code: string;
  readonly text: string;
  /** Whether the instruction breaks it. */
  readonly broken: (instruction: Instruction, stage: Stage, earlier: readonly Stage[]) => boolean;
}

const isJson = (text: string) => /^\[.*\]$/s.test(text.trim());
const runs =
  (pattern: RegExp) =>
  ({ keyword, text }: Instruction) =>
    keyword === 'RUN' && pattern.test(text);

const INSTRUCTION_RULES: readonly Rule[] = [
  {
    code: 'DL3000',
    text: 'WORKDIR must be absolute',
    broken: ({ keyword, words }) => keyword === 'WORKDIR' && words[0]?.startsWith('/') !== true,
  },
  { code: 'DL3003', text: 'use WORKDIR, not cd', broken: runs(/(^|[;&|]\s*)cd\s/) },
  { code: 'DL3004', text: 'no sudo', broken: runs(/\bsudo\b/) },
  {
    code: 'DL3009',
    text: 'remove the lists of apt-get in the same step',
    broken: ({ keyword, text }) =>
      keyword === 'RUN' && /\bapt-get update\b/.test(text) && !text.includes('rm -rf /var/lib/apt/lists/*'),
  },
  {
    code: 'DL3015',
    text: 'apt-get install takes --no-install-recommends and --yes',
    broken: ({ keyword, text }) =>
      keyword === 'RUN' &&
      /\bapt-get\b.*\binstall\b/.test(text) &&
      !(text.includes('--no-install-recommends') && /\s(--yes|-y)\b/.test(text)),
  },
  {
    code: 'DL3016',
    text: 'packages come from the lock file: npm ci',
    broken: runs(/\bnpm (install|i|add)\b|\bnpx\b|\byarn\b/),
  },
  { code: 'DL3020', text: 'use COPY, not ADD', broken: ({ keyword }) => keyword === 'ADD' },
  {
    code: 'DL3021',
    text: 'COPY of several sources goes to a folder, with / at its end',
    broken: ({ keyword, words }) =>
      keyword === 'COPY' && words.length > 2 && words.at(-1)?.endsWith('/') !== true,
  },
  {
    code: 'DL3022',
    text: 'COPY --from names an earlier stage',
    broken: ({ keyword, flags }, _, earlier) =>
      keyword === 'COPY' &&
      flags['from'] !== undefined &&
      !earlier.some(({ name }) => name === flags['from']),
  },
  {
    code: 'DL3025',
    text: 'CMD, ENTRYPOINT and the command of HEALTHCHECK are lists, so that no shell stands before the process',
    broken: ({ keyword, text }) =>
      (['CMD', 'ENTRYPOINT'].includes(keyword) && !isJson(text)) ||
      (keyword === 'HEALTHCHECK' && !isJson(text.replace(/^.*?\bCMD\b/s, ''))),
  },
  {
    code: 'DL4000',
    text: 'MAINTAINER is out of use',
    broken: ({ keyword }) => keyword === 'MAINTAINER',
  },
  { code: 'DL4001', text: 'nothing is downloaded past the lock file', broken: runs(/\b(curl|wget)\b/) },
  {
    code: 'secret',
    text: 'no secret in an image',
    broken: ({ keyword, text }) =>
      /^(ENV|ARG)$/.test(keyword) && /(KEY|TOKEN|SECRET|PASSWORD)\w*[= ]/.test(text),
  },
];

/** What a Dockerfile breaks, as `stage: CODE what to do`. */
export function dockerfileFaults(dockerfile: string): readonly string[] {
  const stages = parseStages(dockerfile);
  return stages.flatMap((stage, i) => {
    const earlier = stages.slice(0, i);
    const ofInstructions = stage.instructions.flatMap((instruction) =>
      INSTRUCTION_RULES.filter(({ broken }) => broken(instruction, stage, earlier)).map(
        ({ code, text }) => `${code} ${text}`,
      ),
    );
    return [...baseFaults(stage, earlier), ...ofInstructions, ...wholeFaults(stage, stages)].map(
      (fault) => `${stage.name}: ${fault}`,
    );
  });
}

function baseFaults({ name, from }: Stage, earlier: readonly Stage[]): readonly string[] {
  const isPinned =
    // Nothing has no version.
    from === 'scratch' ||
    earlier.some((stage) => stage.name === from) ||
    /:\d+\.\d+\.\d+(-[\w.-]+)?@sha256:[0-9a-f]{64}$/.test(from);
  return [
    ...(isPinned ? [] : ['DL3006 the base image has a whole version and a digest']),
    ...(name === '' ? ['unnamed the stage has a name'] : []),
  ];
}

/** Faults of a stage with all that it has from those below it. */
function wholeFaults(stage: Stage, stages: readonly Stage[]): readonly string[] {
  const own = (keyword: string) =>
    stage.instructions.filter((instruction) => instruction.keyword === keyword);
  const twice = [
    ['DL4003', 'CMD'],
    ['DL4004', 'ENTRYPOINT'],
    ['DL3012', 'HEALTHCHECK'],
  ].flatMap(([code = '', keyword = '']) =>
    own(keyword).length > 1 ? [`${code} only the last ${keyword} would count`] : [],
  );
  // What has a command is what runs.
  if (own('CMD').length === 0) return twice;
  const all = inherited(stage, stages);
  const user = all.findLast(({ keyword }) => keyword === 'USER')?.words[0] ?? 'root';
  return [
    ...twice,
    ...(/^(root|0)(:|$)/.test(user) ? ['DL3002 the last USER is not root'] : []),
    ...(all.some(({ keyword }) => keyword === 'HEALTHCHECK')
      ? []
      : ['unchecked what runs has a HEALTHCHECK']),
  ];
}

function inherited(stage: Stage, stages: readonly Stage[]): readonly Instruction[] {
  const base = stages.find(({ name }) => name === stage.from);
  return [...(base === undefined ? [] : inherited(base, stages)), ...stage.instructions];
}
